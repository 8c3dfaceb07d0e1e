/*
 * A plugin as it was built with version 1.0 of the ABI: it has that version's header in frozen/, and neither file may
 * ever change. Hosts of every later 1.x must open it and play with it.
 */
#include "frozen/agent2048_v1_0.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

struct agent2048_agent {
    uint64_t seed;
};

static int32_t fail(agent2048_text *error, int32_t status, const char *message) {
    const uint64_t len = strlen(message);
    error->len = len < error->capacity ? len : error->capacity;
    memcpy(error->data, message, (size_t)error->len);
    return status;
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    if (host->struct_size < sizeof *host || rules->struct_size < sizeof *rules || index != 0)
        return fail(error, AGENT2048_FAILED, "the host is older than version 1.0");
    if (rules->merging > AGENT2048_MERGE_CASCADING || rules->start > AGENT2048_START_BOARD || rules->stop_rank > 15 ||
        rules->cap_rank != 16)
        return fail(error, AGENT2048_BAD_RULES, "rules that version 1.0 does not know");
    if (params.len != 2 || memcmp(params.data, "{}", 2) != 0)
        return fail(error, AGENT2048_BAD_PARAMS, "there are no parameters: {} is all that is taken");
    agent2048_agent *made = calloc(1, sizeof *made);
    if (made == NULL) return fail(error, AGENT2048_FAILED, "out of memory");
    *agent = made;
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    agent->seed = seed;
    return AGENT2048_OK;
}

/* The first legal direction, counted from one that the seed and the number of the move give. */
static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    if (position->struct_size < sizeof *position || decision->struct_size < sizeof *decision)
        return fail(error, AGENT2048_FAILED, "the host is older than version 1.0");
    if (position->budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    for (uint64_t i = 0; i < 4; i++) {
        const uint32_t direction = (uint32_t)((agent->seed + position->move_number + i) % 4);
        if (position->legal & 1u << direction) {
            decision->direction = direction;
            decision->has_value = 1;
            decision->value = (double)position->score;
            return AGENT2048_OK;
        }
    }
    return fail(error, AGENT2048_FAILED, "the position has no legal move");
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor frozen = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = TEXT("frozen"),
        .name = TEXT("Frozen at version 1.0"),
        .version = TEXT("1.0.0"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"),
    };
    return index == 0 ? &frozen : NULL;
}

const agent2048_plugin *agent2048_plugin_v1(void) {
    static const agent2048_plugin table = {
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
    return &table;
}
