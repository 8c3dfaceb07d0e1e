/*
 * A plugin that opens, with an agent that breaks the contract. As it stands it takes the first legal direction, and
 * nothing is wrong with it; each macro that is looked at below, given on the command line, breaks one thing.
 */
#include "plugin.h"

#ifndef CAPABILITIES
#define CAPABILITIES AGENT2048_CAP_NO_BUDGET
#endif
#ifndef NAME
#define NAME "Misbehaving"
#endif
#ifndef PROPERTIES
#define PROPERTIES "{}"
#endif

struct agent2048_agent {
    const agent2048_host *host;
    uint32_t games;
};

static int32_t check_params(agent2048_str params, agent2048_text *error) {
#ifdef ANY_PARAMS
    (void)params, (void)error;
    return AGENT2048_OK;
#else
    const int is_empty = params.len == 2 && memcmp(params.data, "{}", 2) == 0;
    return is_empty ? AGENT2048_OK : fail(error, AGENT2048_BAD_PARAMS, "only {} is taken");
#endif
}

static int32_t check_rules(const agent2048_rules *rules, agent2048_text *error) {
#ifdef ANY_RULES
    (void)rules, (void)error;
    return AGENT2048_OK;
#else
    const int known = rules->merging <= AGENT2048_MERGE_CASCADING && rules->start <= AGENT2048_START_BOARD &&
                      rules->stop_rank < 16 && rules->cap_rank == 16;
    return known ? AGENT2048_OK : fail(error, AGENT2048_BAD_RULES, "unknown rules");
#endif
}

static void log_line(const agent2048_host *host, uint32_t level, const char *line, uint64_t len) {
    host->log(host->context, level, (agent2048_str){line, len});
}

static void log_much(const agent2048_host *host) {
    static char long_line[10000];
    memset(long_line, 'x', sizeof long_line);
    log_line(host, AGENT2048_LOG_DEBUG, "made", 4);
    log_line(host, AGENT2048_LOG_INFO, "caf\xe9!", 5);
    log_line(host, AGENT2048_LOG_WARN, NULL, 0);
    log_line(host, AGENT2048_LOG_ERROR, NULL, 3);
    log_line(host, 1000, long_line, sizeof long_line);
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)index;
    int32_t status = check_rules(rules, error);
    if (status == AGENT2048_OK) status = check_params(params, error);
    if (status != AGENT2048_OK) return status;
#ifdef LOGS
    log_much(host);
#else
    (void)log_much;
#endif
#ifdef CREATE_RETURNS
    (void)host, (void)agent;
    return CREATE_RETURNS;
#else
    *agent = calloc(1, sizeof **agent);
    (*agent)->host = host;
    return AGENT2048_OK;
#endif
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)seed, (void)error;
    agent->games++;
    return AGENT2048_OK;
}

static uint32_t pick(const agent2048_agent *agent, uint32_t mask) {
    uint32_t offset = 0;
#ifdef UNSEEDED
    static uint32_t chance;
    chance = chance * 1103515245u + 12345u;
    offset = chance >> 16;
#endif
#ifdef REMEMBERS
    offset = agent->games;
#endif
    (void)agent;
    for (uint32_t i = 0; i < 4; i++)
        if (mask & 1u << (i + offset) % 4) return (i + offset) % 4;
    return 0;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
#ifdef ILLEGAL
    const uint32_t illegal = ~position->legal & 15u;
    decision->direction = pick(agent, illegal != 0 ? illegal : position->legal);
#else
    decision->direction = pick(agent, position->legal);
#endif
#ifdef DIRECTION
    decision->direction = DIRECTION;
#endif
#ifdef VALUE
    decision->has_value = 1;
    decision->value = VALUE;
#endif
#ifdef SPENT
    decision->spent = SPENT;
#endif
#ifdef ASKS_TO_STOP
    decision->nodes = agent->host->should_stop(agent->host->context);
#endif
#ifdef ERROR_TEXT
    fail(error, AGENT2048_FAILED, ERROR_TEXT);
#endif
#ifdef ERROR_LEN
    error->len = ERROR_LEN;
#endif
#ifdef CHOOSE_RETURNS
    return CHOOSE_RETURNS;
#endif
#ifndef ANY_BUDGET
    if (!((CAPABILITIES) & UINT64_C(1) << position->budget_kind))
        return fail(error, AGENT2048_BAD_BUDGET, "the budget is of another kind");
#endif
    (void)error;
    return AGENT2048_OK;
}

PLUGIN(NULL,
       .capabilities = CAPABILITIES,
       .id = TEXT("misbehaving"),
       .name = TEXT(NAME),
       .version = TEXT("1.0.0"),
       .licence = TEXT("MIT"),
       .params_schema = TEXT("{\"type\":\"object\",\"properties\":" PROPERTIES "}"));
