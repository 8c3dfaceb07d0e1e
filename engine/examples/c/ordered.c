/*
 * An agent in C that needs a file: it plays the first legal direction in the order that the file names, such as DLRU. It shows how a
 * plugin says which files it needs and how it is lent them; for all else random.c is the one to copy.
 */
#include "agent2048.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

/* The role of the file: a manifest writes files.order = "...". */
static const char ROLE[] = "order";

struct agent2048_agent {
    uint32_t order[4];
};

static int32_t fail(agent2048_text *error, int32_t status, const char *message) {
    if (error != NULL && error->data != NULL) {
        const uint64_t len = strlen(message);
        error->len = len < error->capacity ? len : error->capacity;
        memcpy(error->data, message, (size_t)error->len);
    }
    return status;
}

/* Asks the host for the file. Its bytes stay where they are until the process ends: nothing is copied or freed. */
static int32_t lent(const agent2048_host *host, agent2048_file *file) {
    const agent2048_str id = TEXT(AGENT2048_EXT_FILES), role = {ROLE, sizeof ROLE - 1};
    if (host->get_extension == NULL) return AGENT2048_FAILED;
    const agent2048_ext_files *files = host->get_extension(host->context, id);
    if (files == NULL) return AGENT2048_FAILED;
    memset(file, 0, sizeof *file);
    file->struct_size = sizeof *file;
    return files->file(host->context, role, file);
}

/* Reads four different letters, and a line break behind them if there is one. */
static int32_t read_order(const agent2048_file *file, uint32_t order[4]) {
    static const char letters[] = "URDL";
    uint32_t seen = 0;
    if (file->len != 4 && !(file->len == 5 && file->data[4] == '\n')) return AGENT2048_FAILED;
    for (int i = 0; i < 4; i++) {
        const char *letter = memchr(letters, file->data[i], 4);
        if (letter == NULL) return AGENT2048_FAILED;
        order[i] = (uint32_t)(letter - letters);
        seen |= 1u << order[i];
    }
    return seen == 15 ? AGENT2048_OK : AGENT2048_FAILED;
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    agent2048_file file;
    uint32_t order[4];
    if (index != 0) return fail(error, AGENT2048_FAILED, "there is one agent");
    if (rules->merging > AGENT2048_MERGE_CASCADING || rules->start > AGENT2048_START_BOARD || rules->stop_rank > 15 ||
        rules->cap_rank != 16 || rules->spawn != AGENT2048_SPAWN_RANDOM)
        return fail(error, AGENT2048_BAD_RULES, "unknown rules");
    if (params.len != 2 || memcmp(params.data, "{}", 2) != 0)
        return fail(error, AGENT2048_BAD_PARAMS, "there are no parameters: only {} is taken");
    if (lent(host, &file) != AGENT2048_OK) return fail(error, AGENT2048_FAILED, "the host lends no file `order`");
    if (read_order(&file, order) != AGENT2048_OK)
        return fail(error, AGENT2048_FAILED, "file `order`: write the letters U, R, D and L in some order");
    *agent = malloc(sizeof **agent);
    if (*agent == NULL) return fail(error, AGENT2048_FAILED, "there is not enough memory");
    memcpy((*agent)->order, order, sizeof order);
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)agent, (void)seed, (void)error;
    return AGENT2048_OK;
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    if (position->budget_kind != AGENT2048_BUDGET_NONE)
        return fail(error, AGENT2048_BAD_BUDGET, "no budget is taken");
    int i = 0;
    while (!(position->legal & 1u << agent->order[i])) i++;
    decision->direction = agent->order[i];
    return AGENT2048_OK;
}

static void destroy(agent2048_agent *agent) { free(agent); }

static const agent2048_descriptor *descriptor(uint32_t index) {
    static const agent2048_descriptor only = {
        .struct_size = sizeof(agent2048_descriptor),
        .capabilities = AGENT2048_CAP_NO_BUDGET,
        .id = TEXT("ordered-c"),
        .name = TEXT("The first legal direction in the order of a file"),
        .version = TEXT("1.0.0"),
        .licence = TEXT("MIT"),
        .params_schema = TEXT("{\"type\":\"object\",\"properties\":{}}"),
        .files = {ROLE, sizeof ROLE - 1},
    };
    return index == 0 ? &only : NULL;
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
