/*
 * The smallest agent in C: a uniformly random legal move. It is the one to copy, and the twin of agents/random, with
 * which it plays move for move the same games.
 */
#include "agent2048.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

/* The agent's state: nothing but its source of chance, the generator xoshiro256++. */
struct agent2048_agent {
    uint64_t rng[4];
};

static uint64_t rotate_left(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

/* Fills the generator's state from a seed by SplitMix64. */
static void seed_rng(uint64_t rng[4], uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        rng[i] = z ^ z >> 31;
    }
}

static uint64_t next_u64(uint64_t rng[4]) {
    const uint64_t result = rotate_left(rng[0] + rng[3], 23) + rng[0];
    const uint64_t shifted = rng[1] << 17;
    rng[2] ^= rng[0];
    rng[3] ^= rng[1];
    rng[1] ^= rng[2];
    rng[0] ^= rng[3];
    rng[2] ^= shifted;
    rng[3] = rotate_left(rng[3], 45);
    return result;
}

/* A number below bound, from the upper half of the next 64 bits. */
static uint32_t below(uint64_t rng[4], uint32_t bound) { return (uint32_t)((next_u64(rng) >> 32) * bound >> 32); }

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

/* Chance plays by any rules; but a code that this header does not list may mean that a move is no longer one of four. */
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
    *agent = made;
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    seed_rng(agent->rng, seed);
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *their_position,
                           agent2048_decision *decision, agent2048_text *error) {
    agent2048_position position;
    read_struct(&position, sizeof position, their_position);
    if (position.budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "the agent does not take a budget of kind %u",
                    (unsigned)position.budget_kind);
    uint32_t legal[4], count = 0;
    for (uint32_t direction = AGENT2048_UP; direction <= AGENT2048_LEFT; direction++)
        if (position.legal & 1u << direction) legal[count++] = direction;
    if (count == 0) return fail(error, AGENT2048_FAILED, "the position has no legal move");
    /* Fields of version 1.0 are in every host's decision. Before setting a later one, look at struct_size. */
    decision->direction = legal[below(agent->rng, count)];
    return AGENT2048_OK;
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor random_agent = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = TEXT("random-c"),
        .name = TEXT("Random, in C"),
        .version = TEXT("1.0.0"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"),
    };
    return index == 0 ? &random_agent : NULL;
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
