/*
 * A plugin whose agent plays the first legal direction and places the tiles against itself: into the last empty cell, every fifth
 * of them a 4. With -DFAULT=... it misbehaves while it places the tile after move AT_MOVE of games whose seed is a multiple of EVERY.
 */
#include "plugin.h"

#define none 0
#define taken_cell 1
#define no_such_tile 2
#define fails 3
#define crashes 4
#ifndef FAULT
#define FAULT none
#endif
#define EVERY 9
#define AT_MOVE 20

struct agent2048_agent {
    uint64_t seed;
};

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
    const int is_bad = FAULT != none && agent->seed % EVERY == 0 && afterstate->move_number == AT_MOVE;
    if (afterstate->budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    if (is_bad && FAULT == fails) return fail(error, AGENT2048_FAILED, "no tile comes to mind");
    if (is_bad && FAULT == crashes) abort();
    uint32_t cell = 16;
    do cell--; while ((afterstate->cells[cell] == 0) == (is_bad && FAULT == taken_cell));
    tile->cell = is_bad && FAULT == no_such_tile ? 16 : cell;
    tile->rank = afterstate->move_number % 5 == 4 ? 2 : 1;
    tile->nodes = 2;
    return AGENT2048_OK;
}

static const void *get_extension(agent2048_str id) {
    static const agent2048_ext_spawner spawner = {.struct_size = sizeof(agent2048_ext_spawner), .place_tile = place_tile};
    const char *known = AGENT2048_EXT_SPAWNER;
    return id.len == strlen(known) && memcmp(id.data, known, (size_t)id.len) == 0 ? &spawner : NULL;
}

PLUGIN(get_extension,
       .capabilities = AGENT2048_CAP_NO_BUDGET | AGENT2048_CAP_SPAWNER,
       .id = TEXT("spawner"),
       .name = TEXT("Places the tiles itself"),
       .version = TEXT("1"),
       .licence = TEXT("MIT"),
       .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"));
