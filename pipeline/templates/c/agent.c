/*
 * @NAME@: an agent that plays 2048. It keeps its tiles in a corner: the first legal direction of a fixed order. Put your
 * method into choose_move; agent2048.h says what each function may do.
 */
#include "agent2048.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

/* The agent's state. Whatever belongs to one game is cleared in new_game. */
struct agent2048_agent {
    agent2048_rules rules;
    uint64_t seed; /* of this game: the only source of chance */
};

/* The directions, the best first. */
static const uint32_t order[4] = {AGENT2048_DOWN, AGENT2048_LEFT, AGENT2048_RIGHT, AGENT2048_UP};

/* Writes a message into the host's text, as much as fits, and returns the status. Messages here are ASCII: a cut
 * anywhere leaves UTF-8. */
static int32_t fail(agent2048_text *error, int32_t status, const char *format, ...) {
    char message[256] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (error != NULL && error->data != NULL) {
        const uint64_t len = strlen(message);
        error->len = len < error->capacity ? len : error->capacity;
        memcpy(error->data, message, (size_t)error->len);
    }
    return status;
}

/* Copies as much of a host's struct as both sides know; what the host does not know reads as zero. */
static void read_struct(void *ours, size_t our_size, const void *theirs) {
    uint32_t their_size; /* every struct begins with it */
    memcpy(&their_size, theirs, sizeof their_size);
    memset(ours, 0, our_size);
    memcpy(ours, theirs, their_size < our_size ? their_size : our_size);
}

static bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

/* Whether a text is an empty JSON object: there is nothing to set. */
static bool is_empty_object(agent2048_str json) {
    char found[2];
    size_t count = 0;
    for (uint64_t i = 0; i < json.len; i++) {
        if (is_space(json.data[i])) continue;
        if (count == 2) return false;
        found[count++] = json.data[i];
    }
    return count == 2 && found[0] == '{' && found[1] == '}';
}

/* This method plays by any rules. A code that the header does not list may mean that a move is no longer one of four. */
static int32_t check_rules(const agent2048_rules *rules, agent2048_text *error) {
    if (rules->merging != AGENT2048_MERGE_ONCE && rules->merging != AGENT2048_MERGE_CASCADING)
        return fail(error, AGENT2048_BAD_RULES, "unknown merging %u", (unsigned)rules->merging);
    if (rules->start != AGENT2048_START_TWO_TILES && rules->start != AGENT2048_START_SCATTER &&
        rules->start != AGENT2048_START_BOARD)
        return fail(error, AGENT2048_BAD_RULES, "unknown start %u", (unsigned)rules->start);
    if (rules->stop_rank >= 16)
        return fail(error, AGENT2048_BAD_RULES, "unknown stop rank %u", (unsigned)rules->stop_rank);
    if (rules->cap_rank != 16)
        return fail(error, AGENT2048_BAD_RULES, "unknown cap rank %u", (unsigned)rules->cap_rank);
    return AGENT2048_OK;
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *their_rules,
                      agent2048_str params, agent2048_text *error, agent2048_agent **agent) {
    (void)host; /* an agent that logs, or asks should_stop, keeps this pointer */
    if (index != 0) return fail(error, AGENT2048_FAILED, "there is no agent %u", (unsigned)index);
    agent2048_rules rules;
    read_struct(&rules, sizeof rules, their_rules);
    const int32_t status = check_rules(&rules, error);
    if (status != AGENT2048_OK) return status;
    if (!is_empty_object(params))
        return fail(error, AGENT2048_BAD_PARAMS, "the agent has no parameters: they must be {}");
    agent2048_agent *made = calloc(1, sizeof *made);
    if (made == NULL) return fail(error, AGENT2048_FAILED, "out of memory");
    made->rules = rules;
    *agent = made;
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    agent->seed = seed;
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *their_position,
                           agent2048_decision *decision, agent2048_text *error) {
    (void)agent;
    agent2048_position position;
    read_struct(&position, sizeof position, their_position);
    if (position.budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "the agent does not take a budget of kind %u",
                    (unsigned)position.budget_kind);
    for (int i = 0; i < 4; i++) {
        if ((position.legal & 1u << order[i]) == 0) continue;
        decision->direction = order[i];
        return AGENT2048_OK;
    }
    return fail(error, AGENT2048_FAILED, "the position has no legal move");
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor about = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = TEXT("@NAME@"),
        .name = TEXT("@NAME@"),
        .version = TEXT("1.0.0"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
    };
    return index == 0 ? &about : NULL;
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
