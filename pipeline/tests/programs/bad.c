/*
 * An agent at the other end of the bridge, in plain C: the first legal direction, one node for each. Built with
 * -DFAULT=..., it is bad in the games whose seed is a multiple of EVERY, before move AT_MOVE; or at its start.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVERY 9
#ifndef AT_MOVE
#define AT_MOVE 20
#endif
#ifndef FAULT
#define FAULT none
#endif

static void none(void) {}
static void aborts(void) {
    fprintf(stderr, "the table is upside down\n");
    abort();
}
static void exits(void) { exit(7); }
static void hangs(void) {
    for (;;) pause();
}
static void late(void) { sleep(4); }
static void garbage(void) { printf("hm, let me see\n"); }
static void latin(void) { printf("{\"type\":\"move\",\"direction\":\"\xdc\"}\n"); }
static void no_direction(void) { printf("{\"type\":\"move\",\"direction\":\"X\"}\n"); }
static void huge(void) {
    for (int i = 0; i < 3 << 20; i++) putchar('x');
    putchar('\n');
}
static void closes(void) {
    fclose(stdout);
    for (;;) pause();
}
static void complains(void) { printf("{\"type\":\"error\",\"reason\":\"the network is down\"}\n"); }
/* Answers twice; what is said again comes at once, or late. */
static bool says_it_again, says_it_late;
static void twice(void) { says_it_again = true; }
static void twice_and_late(void) { says_it_again = says_it_late = true; }
/* Starts a process that outlives it, if anything lets it. */
static void forks(void) {
    if (fork() == 0) {
        FILE *file = fopen("grandchild", "w");
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
        for (;;) pause();
    }
    abort();
}
/* Starts one that is nobody's child and in nobody's group. */
static void start_a_daemon(void) {
    pid_t child = fork();
    if (child == 0) {
        setsid();
        pid_t daemon = fork();
        if (daemon == 0) {
            for (;;) pause();
        }
        FILE *file = fopen("daemons", "a");
        fprintf(file, "%d\n", (int)daemon);
        fclose(file);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}
static void daemon_and_abort(void) {
    start_a_daemon();
    abort();
}
static void daemon_and_play(void) { start_a_daemon(); }
/* Takes memory until there is no more, or 4 GiB, and does not look whether it got it. */
static void eats_memory(void) {
    for (int i = 0; i < 4096; i++) memset(malloc(1 << 20), 1, 1 << 20);
    exit(5);
}
static void memory_error(void) {
    fprintf(stderr, "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nMemoryError\n\n");
    exit(1);
}
/* At the start. */
static void mute(void) {
    for (;;) pause();
}
static void leaves(void) {
    fprintf(stderr, "no module named numpy\n");
    exit(3);
}

static bool is(void (*fault)(void)) { return (void (*)(void))FAULT == fault; }

static const char *after(const char *line, const char *key) {
    const char *found = strstr(line, key);
    return found ? found + strlen(key) : "";
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    uint64_t seed = 1;
    if (is(mute) || is(leaves)) FAULT();
    while (getline(&line, &room, stdin) > 0) {
        const char *type = after(line, "\"type\":\"");
        if (strncmp(type, "hello", 5) == 0) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"id\":\"bad\",\"version\":\"1.0.0\"}\n");
        } else if (strncmp(type, "setup", 5) == 0) {
            printf("{\"type\":\"log\",\"line\":\"here I am\"}\n{\"type\":\"ready\"}\n");
        } else if (strncmp(type, "new-game", 8) == 0) {
            seed = strtoull(after(line, "\"seed\":\""), NULL, 16);
        } else if (strncmp(type, "position", 8) == 0) {
            const char *legal = after(line, "\"legal\":\"");
            if (seed % EVERY == 0 && atoi(after(line, "\"move\":")) == AT_MOVE) FAULT();
            for (int times = 1 + says_it_again; times > 0; times--) {
                printf("{\"type\":\"move\",\"direction\":\"%c\",\"nodes\":1}\n", *legal);
                fflush(stdout);
                if (says_it_late) usleep(20000);
            }
            says_it_again = says_it_late = false;
        } else if (strncmp(type, "quit", 4) == 0) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
