/*
 * A plugin that a host must not open. As it stands nothing is wrong with it; each macro below, given on the command
 * line, breaks one thing.
 */
#include "agent2048.h"

#ifndef SYMBOL
#define SYMBOL agent2048_plugin_v1
#endif
#ifndef RETURNED
#define RETURNED &table
#endif
#ifndef MAGIC
#define MAGIC AGENT2048_MAGIC
#endif
#ifndef MAJOR
#define MAJOR AGENT2048_ABI_MAJOR
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(agent2048_plugin)
#endif
#ifndef AGENT_COUNT
#define AGENT_COUNT 1
#endif
#ifndef MUST_UNDERSTAND
#define MUST_UNDERSTAND 0
#endif
#ifndef DESCRIPTOR
#define DESCRIPTOR descriptor
#endif
#ifndef CREATE
#define CREATE create
#endif
#ifndef NEW_GAME
#define NEW_GAME new_game
#endif
#ifndef CHOOSE_MOVE
#define CHOOSE_MOVE choose_move
#endif
#ifndef DESTROY
#define DESTROY destroy
#endif
#ifndef DESCRIBED
#define DESCRIBED &described
#endif
#ifndef DESCRIPTOR_SIZE
#define DESCRIPTOR_SIZE sizeof(agent2048_descriptor)
#endif
#ifndef ID
#define ID "refused"
#endif
#ifndef ID_LEN
#define ID_LEN (sizeof(ID) - 1)
#endif
#ifndef ID_DATA
#define ID_DATA ID
#endif
#ifndef NAME
#define NAME "Refused"
#endif
#ifndef VERSION
#define VERSION "1.0.0"
#endif
#ifndef PAPER
#define PAPER ""
#endif
#ifndef SCHEMA
#define SCHEMA "{\"type\":\"object\",\"properties\":{}}"
#endif

#define TEXT(literal) {(literal), sizeof(literal) - 1}

#ifdef UNDEFINED
int nobody_defines_this(void);
#endif

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)host, (void)index, (void)rules, (void)params, (void)error, (void)agent;
#ifdef UNDEFINED
    return nobody_defines_this();
#else
    return AGENT2048_FAILED;
#endif
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)agent, (void)seed, (void)error;
    return AGENT2048_FAILED;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    (void)agent, (void)position, (void)decision, (void)error;
    return AGENT2048_FAILED;
}

static void destroy(agent2048_agent *agent) { (void)agent; }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor described = {
        .struct_size = DESCRIPTOR_SIZE,
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = {ID_DATA, ID_LEN},
        .name = TEXT(NAME),
        .version = TEXT(VERSION),
        .paper = TEXT(PAPER),
        .licence = TEXT("MIT"),
        .params_schema = TEXT(SCHEMA),
    };
    (void)index, (void)described;
    return DESCRIBED;
}

__attribute__((visibility("default"))) const agent2048_plugin *SYMBOL(void);

const agent2048_plugin *SYMBOL(void) {
    static const agent2048_plugin table = {
        .magic = MAGIC,
        .abi_major = MAJOR,
        .abi_minor = AGENT2048_ABI_MINOR,
        .struct_size = TABLE_SIZE,
        .agent_count = AGENT_COUNT,
        .must_understand = MUST_UNDERSTAND,
        .descriptor = DESCRIPTOR,
        .create = CREATE,
        .new_game = NEW_GAME,
        .choose_move = CHOOSE_MOVE,
        .destroy = DESTROY,
    };
    (void)table, (void)descriptor, (void)create, (void)new_game, (void)choose_move, (void)destroy;
    return RETURNED;
}
