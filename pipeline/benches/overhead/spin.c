/*
 * An agent that takes about 100 microseconds of CPU time over every move, for the benchmark of what the pipeline adds to that.
 */
#include "agent2048.h"

#include <stdlib.h>
#include <time.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}
#define MOVE_NS 100000
#define TRIAL_STEPS 10000000

struct agent2048_agent {
    uint64_t steps; /* of work for a move */
    uint64_t state; /* of that work */
};

static uint64_t thread_cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Work that nobody can do faster: each step waits for the one before. */
static void work(agent2048_agent *agent, uint64_t steps) {
    uint64_t state = agent->state;
    for (uint64_t i = 0; i < steps; i++) state = state * UINT64_C(6364136223846793005) + 1;
    agent->state = state;
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)host, (void)index, (void)rules, (void)params, (void)error;
    agent2048_agent *made = calloc(1, sizeof *made);
    if (made == NULL) return AGENT2048_FAILED;
    const uint64_t begun = thread_cpu_ns();
    work(made, TRIAL_STEPS);
    made->steps = (uint64_t)TRIAL_STEPS * MOVE_NS / (thread_cpu_ns() - begun);
    *agent = made;
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)agent, (void)seed, (void)error;
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    (void)error;
    work(agent, agent->steps);
    uint32_t direction = position->move_number % 4;
    while (!(position->legal & 1u << direction)) direction = (direction + 1) % 4;
    decision->direction = direction;
    return AGENT2048_OK;
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor spin = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = TEXT("spin"),
        .name = TEXT("Spin"),
        .version = TEXT("1.0.0"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
    };
    return index == 0 ? &spin : NULL;
}

const agent2048_plugin *agent2048_plugin_v1(void) {
    static const agent2048_plugin plugin = {
        .magic = AGENT2048_MAGIC,
        .abi_major = AGENT2048_ABI_MAJOR,
        .abi_minor = AGENT2048_ABI_MINOR,
        .struct_size = sizeof(agent2048_plugin),
        .agent_count = 1,
        .descriptor = descriptor,
        .create = create,
        .new_game = new_game,
        .choose_move = choose_move,
        .destroy = destroy,
    };
    return &plugin;
}
