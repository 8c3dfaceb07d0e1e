/*
 * A player of seeded chance that does something bad in some games. As it stands nothing is wrong with it: it is the
 * twin that the others are compared with. FAULT names what it does in every game whose seed is a multiple of EVERY,
 * before its move AT_MOVE, or with FROM_THEN_ON before that one and all after it; IN_CREATE and IN_CONSTRUCTOR do it
 * there instead.
 */
#define _GNU_SOURCE
#include "plugin.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef ID
#define ID "bad"
#endif
#ifndef NAME
#define NAME "Bad"
#endif
#ifndef EVERY
#define EVERY 9
#endif
#ifndef AT_MOVE
#define AT_MOVE 20
#endif
#ifndef SLEEP_US
#define SLEEP_US 0
#endif
/* Another odd number gives another player. */
#ifndef INCREMENT
#define INCREMENT 1442695040888963407u
#endif

struct agent2048_agent {
    uint64_t seed;
    uint64_t chance;
};

struct call {
    const agent2048_position *position;
    agent2048_decision *decision;
    agent2048_text *error;
};

/* Each fault returns a status; most never return. */
static inline int32_t none(struct call call) { return (void)call, AGENT2048_OK; }

static inline int32_t segfault(struct call call) {
    *(volatile char *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
    return none(call);
}

static inline int32_t aborts(struct call call) { abort(); return none(call); }

static inline int32_t exits(struct call call) { exit(0); return none(call); }

static inline int32_t hangs(struct call call) {
    for (volatile int forever = 1; forever;) {}
    return none(call);
}

static inline int32_t stops(struct call call) { raise(SIGSTOP); return none(call); }

static inline int32_t kills_itself(struct call call) { raise(SIGKILL); return none(call); }

static inline int32_t illegal(struct call call) {
    for (uint32_t d = 0; d < 4; d++)
        if (!(call.position->legal & 1u << d)) call.decision->direction = d;
    return AGENT2048_OK;
}

static inline int32_t seven(struct call call) { call.decision->direction = 7; return AGENT2048_OK; }

static inline int32_t nan_value(struct call call) {
    call.decision->has_value = 1;
    call.decision->value = NAN;
    return AGENT2048_OK;
}

static inline int32_t much_output(struct call call) {
    char line[4096];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 2000; i++) {
        if (write(1, line, sizeof line) < 0 || write(2, line, sizeof line) < 0) abort();
    }
    return none(call);
}

static inline int32_t endless_output(struct call call) {
    for (;;) much_output(call);
    return none(call);
}

static inline int32_t fails(struct call call) { return fail(call.error, AGENT2048_FAILED, "I have no idea"); }

static inline int32_t fails_in_latin_1(struct call call) {
    return fail(call.error, AGENT2048_FAILED, "caf\xe9 \x1b[31mred\x01");
}

static inline int32_t fails_at_length(struct call call) {
    memset(call.error->data, 'e', (size_t)call.error->capacity);
    call.error->len = UINT64_MAX;
    return AGENT2048_FAILED;
}

static inline int32_t panics(struct call call) { return fail(call.error, AGENT2048_PANICKED, "index out of bounds"); }

static inline int32_t unknown_status(struct call call) { return (void)call, 77; }

static inline int32_t eats_memory(struct call call) {
    for (;;) {
        char *piece = malloc(1 << 20);
        if (piece == NULL) {
            fprintf(stderr, "out of memory\n");
            abort();
        }
        memset(piece, 1, 1 << 20);
    }
    return none(call);
}

static void note_process(pid_t process) {
    const char *path = getenv("BAD_PID_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file == NULL) return;
    fprintf(file, "%d\n", (int)process);
    fclose(file);
}

static inline int32_t leaves_a_child(struct call call) {
    pid_t child = fork();
    if (child == 0) {
        for (;;) pause();
    }
    note_process(child);
    return segfault(call);
}

/* Takes memory until there is no more, or 4 GiB, and does not look whether it got it. */
static inline int32_t eats_memory_without_a_word(struct call call) {
    for (int i = 0; i < 4096; i++) memset(malloc(1 << 20), 1, 1 << 20);
    exit(5);
    return none(call);
}
static inline int32_t maps_memory_without_a_word(struct call call) {
    for (int i = 0; i < 4096; i++) {
        void *piece = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(piece, 1, 1 << 20);
    }
    exit(5);
    return none(call);
}
static inline int32_t raises_its_limit(struct call call) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &all);
    getrlimit(RLIMIT_DATA, &all);
    all.rlim_cur = all.rlim_max;
    setrlimit(RLIMIT_DATA, &all);
    return eats_memory_without_a_word(call);
}
/* A file of 64 GiB with nothing in it, to be read. */
static inline int32_t maps_a_file(struct call call) {
    int file = memfd_create("weights", 0);
    if (ftruncate(file, 64LL << 30) != 0) abort();
    char *weights = mmap(NULL, 64LL << 30, PROT_READ, MAP_SHARED, file, 0);
    if (weights == MAP_FAILED || weights[12345] != 0) abort();
    munmap(weights, 64LL << 30);
    close(file);
    return none(call);
}

/* Starts a process that is nobody's child and in nobody's group. */
static void start_a_daemon(void) {
    pid_t child = fork();
    if (child == 0) {
        setsid();
        pid_t daemon = fork();
        if (daemon == 0) {
            for (;;) pause();
        }
        note_process(daemon);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}
static inline int32_t leaves_a_daemon(struct call call) {
    start_a_daemon();
    return none(call);
}
static inline int32_t leaves_a_daemon_and_crashes(struct call call) {
    start_a_daemon();
    return segfault(call);
}
static inline int32_t leaves_a_daemon_and_hangs(struct call call) {
    start_a_daemon();
    return hangs(call);
}

/* From then on no agent can be made, in this process or another, until the file that says so is gone. */
static inline void break_for_good(void) {
    const char *path = getenv("BAD_BROKEN_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file != NULL) fclose(file);
}

static int is_broken(void) {
    const char *path = getenv("BAD_BROKEN_FILE");
    return path != NULL && access(path, F_OK) == 0;
}

static inline int32_t breaks_and_fails(struct call call) {
    break_for_good();
    return fails(call);
}

static inline int32_t breaks_and_crashes(struct call call) {
    break_for_good();
    return segfault(call);
}

/* The first process that comes here goes down, and no other. */
static inline int32_t crashes_once(struct call call) {
    const char *path = getenv("BAD_ONCE_FILE");
    const int file = path == NULL ? -1 : open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    return file < 0 ? none(call) : segfault(call);
}

static inline int32_t closes_descriptors(struct call call) {
    for (int fd = 0; fd < 64; fd++) close(fd);
    return none(call);
}

static inline int32_t writes_garbage(struct call call) {
    static const char garbage[] = "garbage in every pipe";
    for (int fd = 3; fd <= 10; fd++)
        if (write(fd, garbage, sizeof garbage) < 0) continue;
    return none(call);
}

/* Looks like a frame that is yet to come. */
static inline int32_t writes_half_a_frame(struct call call) {
    static const char half[] = {0, 0, 16, 0, '{'};
    for (int fd = 3; fd <= 10; fd++)
        if (write(fd, half, sizeof half) < 0) continue;
    return none(call);
}

/* Not bad, only another player: where the largest tile has the rank DRIFT_RANK, or everywhere, it takes the last legal direction. */
#ifndef DRIFT_RANK
#define DRIFT_RANK 0
#endif
static inline int32_t drifts(struct call call) {
    uint32_t largest = 0;
    for (int cell = 0; cell < 16; cell++) {
        const uint32_t rank = call.position->cells[cell];
        largest = rank > largest ? rank : largest;
    }
    for (uint32_t d = 0; d < 4; d++)
        if (call.position->legal & 1u << d && (DRIFT_RANK == 0 || largest == DRIFT_RANK)) call.decision->direction = d;
    return AGENT2048_OK;
}

#ifndef FAULT
#define FAULT none
#endif

#ifdef IN_CONSTRUCTOR
__attribute__((constructor)) static void constructor(void) { FAULT((struct call){0}); }
#endif

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)host, (void)index, (void)rules, (void)params, (void)error;
#ifdef IN_CREATE
    int32_t status = FAULT((struct call){.error = error});
    if (status != AGENT2048_OK) return status;
#endif
    if (is_broken()) return fail(error, AGENT2048_FAILED, "broken for good");
    *agent = calloc(1, sizeof **agent);
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    agent->seed = seed;
    agent->chance = seed;
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    if (SLEEP_US > 0) nanosleep(&(struct timespec){.tv_nsec = SLEEP_US * 1000L}, NULL);
    do {
        agent->chance = agent->chance * 6364136223846793005u + INCREMENT;
        decision->direction = (uint32_t)(agent->chance >> 62);
    } while (!(position->legal & 1u << decision->direction));
    decision->nodes = 1;
#if !defined(IN_CONSTRUCTOR) && !defined(IN_CREATE)
#ifdef FROM_THEN_ON
    const int is_time = position->move_number >= AT_MOVE;
#else
    const int is_time = position->move_number == AT_MOVE;
#endif
    if (agent->seed % EVERY == 0 && is_time)
        return FAULT((struct call){position, decision, error});
#endif
    (void)error;
    return AGENT2048_OK;
}

PLUGIN(NULL,
       .capabilities = AGENT2048_CAP_NO_BUDGET,
       .id = TEXT(ID),
       .name = TEXT(NAME),
       .version = TEXT("1.0.0"),
       .licence = TEXT("MIT"),
       .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"));
