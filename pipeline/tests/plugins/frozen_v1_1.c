/*
 * A plugin as it was built with version 1.1 of the ABI, whose agent places tiles: it has that version's header in frozen/, and neither
 * file may ever change. Hosts of every later 1.x must open it and play with it.
 */
#include "frozen/agent2048_v1_1.h"

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
    (void)host;
    if (index != 0) return fail(error, AGENT2048_FAILED, "there is one agent");
    if (rules->merging > AGENT2048_MERGE_CASCADING || rules->start > AGENT2048_START_BOARD || rules->stop_rank > 15 ||
        rules->cap_rank != 16 || rules->spawn > AGENT2048_SPAWN_ADVERSARIAL)
        return fail(error, AGENT2048_BAD_RULES, "unknown rules");
    if (rules->four_numerator == 0 || rules->four_numerator == rules->four_denominator)
        return fail(error, AGENT2048_BAD_RULES, "both tiles must be possible");
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

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    (void)agent;
    if (position->budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    uint32_t direction = 0;
    while (!(position->legal & 1u << direction)) direction++;
    decision->direction = direction;
    decision->nodes = 1;
    return AGENT2048_OK;
}

static int32_t place_tile(agent2048_agent *agent, const agent2048_afterstate *afterstate, agent2048_tile *tile,
                          agent2048_text *error) {
    (void)agent;
    if (afterstate->budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    uint32_t cell = 16;
    do cell--; while (afterstate->cells[cell] != 0);
    tile->cell = cell;
    tile->rank = afterstate->move_number % 5 == 4 ? 2 : 1;
    tile->nodes = 2;
    return AGENT2048_OK;
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor only = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET | AGENT2048_CAP_SPAWNER,
        .id = TEXT("frozen-1-1"),
        .name = TEXT("Places the tiles itself"),
        .version = TEXT("1"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"),
    };
    return index == 0 ? &only : NULL;
}

static const void *get_extension(agent2048_str id) {
    static const agent2048_ext_spawner spawner = {.struct_size = sizeof(agent2048_ext_spawner), .place_tile = place_tile};
    const char *known = AGENT2048_EXT_SPAWNER;
    return id.len == strlen(known) && memcmp(id.data, known, (size_t)id.len) == 0 ? &spawner : NULL;
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
        .get_extension = get_extension,
    };
    return &plugin;
}
