/*
 * A plugin as if built with a version 1.3 that does not exist: every struct has grown at its end. A host of version 1.2
 * must open it and play with it; the plugin in turn finds zeros in what that host does not know, and writes nothing
 * behind the host's structs.
 */
#include "agent2048.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

typedef struct future_rules {
    agent2048_rules v1_2;
    uint64_t obstacles; /* 1.3: cells that no tile can enter */
} future_rules;

typedef struct future_position {
    agent2048_position v1_2;
    uint64_t hint; /* 1.3 */
} future_position;

typedef struct future_decision {
    agent2048_decision v1_2;
    double variance; /* 1.3 */
} future_decision;

typedef struct future_descriptor {
    agent2048_descriptor v1_2;
    agent2048_str homepage; /* 1.3 */
} future_descriptor;

typedef struct future_plugin {
    agent2048_plugin v1_2;
    void (*game_over)(agent2048_agent *agent, uint64_t score); /* 1.3 */
} future_plugin;

struct agent2048_agent {
    uint64_t seed;
};

static int32_t fail(agent2048_text *error, int32_t status, const char *message) {
    const uint64_t len = strlen(message);
    error->len = len < error->capacity ? len : error->capacity;
    memcpy(error->data, message, (size_t)error->len);
    return status;
}

static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

static void read_struct(void *ours, size_t our_size, const void *theirs) {
    uint32_t their_size;
    memcpy(&their_size, theirs, sizeof their_size);
    memset(ours, 0, our_size);
    memcpy(ours, theirs, smaller(their_size, our_size));
}

static void write_decision(agent2048_decision *theirs, future_decision ours) {
    ours.v1_2.struct_size = theirs->struct_size;
    memcpy(theirs, &ours, smaller(theirs->struct_size, sizeof ours));
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *their_rules,
                      agent2048_str params, agent2048_text *error, agent2048_agent **agent) {
    (void)host;
    future_rules rules;
    read_struct(&rules, sizeof rules, their_rules);
    if (index != 0) return fail(error, AGENT2048_FAILED, "there is one agent");
    if (rules.obstacles != 0) return fail(error, AGENT2048_BAD_RULES, "a 1.1 host cannot have set obstacles");
    if (rules.v1_2.merging > AGENT2048_MERGE_CASCADING || rules.v1_2.start > AGENT2048_START_BOARD ||
        rules.v1_2.stop_rank > 15 || rules.v1_2.cap_rank != 16 || rules.v1_2.spawn > AGENT2048_SPAWN_ADVERSARIAL)
        return fail(error, AGENT2048_BAD_RULES, "unknown rules");
    if (params.len != 2 || memcmp(params.data, "{}", 2) != 0)
        return fail(error, AGENT2048_BAD_PARAMS, "only {} is taken");
    *agent = calloc(1, sizeof **agent);
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    agent->seed = seed;
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *their_position,
                           agent2048_decision *decision, agent2048_text *error) {
    future_position position;
    read_struct(&position, sizeof position, their_position);
    if (position.hint != 0) return fail(error, AGENT2048_FAILED, "a 1.1 host cannot have set a hint");
    if (position.v1_2.budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    uint32_t direction = (uint32_t)((agent->seed + position.v1_2.move_number) % 4);
    while (!(position.v1_2.legal & 1u << direction)) direction = (direction + 1) % 4;
    const future_decision made = {
        .v1_2 = {.direction = direction, .depth = 1, .has_value = 1, .value = 0.5},
        .variance = 0.25,
    };
    write_decision(decision, made);
    return AGENT2048_OK;
}

static void destroy(agent2048_agent *agent) { free(agent); }

static void game_over(agent2048_agent *agent, uint64_t score) { (void)agent, (void)score; }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const future_descriptor future = {
        .v1_2 =
            {
                .struct_size = sizeof(future_descriptor),
                .capabilities = AGENT2048_CAP_NO_BUDGET | UINT64_C(1) << 40,
                .id = TEXT("future"),
                .name = TEXT("Version 1.3"),
                .version = TEXT("1.0.0"),
                .licence = TEXT("MIT"),
                .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"),
            },
        .homepage = TEXT("https://example.org"),
    };
    return index == 0 ? &future.v1_2 : NULL;
}

const agent2048_plugin *agent2048_plugin_v1(void) {
    static const future_plugin table = {
        .v1_2 =
            {
                .magic = AGENT2048_MAGIC,
                .abi_major = 1,
                .abi_minor = 3,
                .struct_size = sizeof(future_plugin),
                .agent_count = 1,
                .descriptor = descriptor,
                .create = create,
                .new_game = new_game,
                .choose_move = choose_move,
                .destroy = destroy,
            },
        .game_over = game_over,
    };
    return &table.v1_2;
}
