/*
 * An agent that takes 100 microseconds of CPU time over every move, for the benchmark of what the pipeline adds to that. As
 * `nodes` it reports the nanoseconds that it took, so that the benchmark knows them to the last one.
 */
#include "agent2048.h"

#include <stdlib.h>
#include <time.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}
#define MOVE_NS 100000

struct agent2048_agent {
    uint32_t moves;
};

static uint64_t thread_cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)host, (void)index, (void)rules, (void)params, (void)error;
    *agent = calloc(1, sizeof **agent);
    return *agent == NULL ? AGENT2048_FAILED : AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)seed, (void)error;
    agent->moves = 0;
    return AGENT2048_OK;
}

/* The next legal direction after the last one tried, as long as the clock asks for. */
static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    (void)error;
    const uint64_t begun = thread_cpu_ns();
    uint32_t direction = agent->moves++ % 4;
    while (!(position->legal & 1u << direction)) direction = (direction + 1) % 4;
    uint64_t spent = 0;
    while (spent < MOVE_NS) spent = thread_cpu_ns() - begun;
    decision->direction = direction;
    decision->nodes = spent;
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
