/*
 * Drives a plugin as the host of another version does: its structs are shorter or longer than those of this header.
 *
 *     other_host PLUGIN shorter|same|longer
 *
 * Each struct ends where the readable memory ends, so that a plugin which reads or writes behind it dies.
 */
#include "agent2048.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOVES 100u

/* How many bytes each struct has in this host. */
typedef struct sizes {
    const char *name;
    uint32_t host, rules, position, decision;
} sizes;

static const sizes all_sizes[] = {
    {"shorter", offsetof(agent2048_host, log), offsetof(agent2048_rules, start_board),
     offsetof(agent2048_position, budget_kind), offsetof(agent2048_decision, nodes)},
    {"same", sizeof(agent2048_host), sizeof(agent2048_rules), sizeof(agent2048_position), sizeof(agent2048_decision)},
    {"longer", sizeof(agent2048_host) + 64, sizeof(agent2048_rules) + 64, sizeof(agent2048_position) + 64,
     sizeof(agent2048_decision) + 64},
};

static char error_bytes[256];
static agent2048_text error = {error_bytes, sizeof error_bytes, 0};

static void demand(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s; the plugin says: %.*s\n", what, (int)error.len, error_bytes);
    exit(1);
}

/* A struct of this size, filled with one byte, right before a page that nobody may touch. */
static void *guarded(uint32_t size, int filling) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    demand(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0, "no memory");
    char *place = pages + page - size;
    memset(place, filling, size);
    memcpy(place, &size, sizeof size);
    return place;
}

/* The same with as much of a struct of this header as fits. What a longer host has behind it is not zero. */
static void *guarded_copy(uint32_t size, const void *source, uint32_t source_size) {
    char *place = guarded(size, 0x55);
    const uint32_t copied = size < source_size ? size : source_size;
    memcpy(place + sizeof size, (const char *)source + sizeof size, copied - sizeof size);
    return place;
}

static const agent2048_plugin *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    demand(library != NULL, "the plugin cannot be loaded");
    const agent2048_plugin *(*entry)(void);
    *(void **)&entry = dlsym(library, AGENT2048_SYMBOL);
    demand(entry != NULL, "the plugin has no symbol");
    return entry();
}

static void play(const agent2048_plugin *plugin, agent2048_agent *agent, const sizes *sizes) {
    static const uint8_t cells[16] = {1, 1, 2};
    for (uint32_t move = 0; move < MOVES; move++) {
        const agent2048_position position = {.rows = 4,
                                             .cols = 4,
                                             .legal = 1 + move % 15,
                                             .board = 0x211,
                                             .move_number = move,
                                             .cells = cells,
                                             .budget_kind = AGENT2048_BUDGET_NONE};
        agent2048_decision *decision = guarded(sizes->decision, 0);
        const void *given = guarded_copy(sizes->position, &position, sizeof position);
        const int32_t status = plugin->choose_move(agent, given, decision, &error);
        demand(status == AGENT2048_OK, "choose_move fails");
        demand(decision->struct_size == sizes->decision, "the plugin changed the decision's struct_size");
        demand(decision->direction < 4 && position.legal >> decision->direction & 1, "the move is illegal");
        for (uint32_t i = sizeof *decision; i < sizes->decision; i++)
            demand(((const char *)decision)[i] == 0, "the plugin wrote what it does not know");
    }
}

int main(int count, char **arguments) {
    demand(count == 3, "usage: other_host PLUGIN shorter|same|longer");
    const sizes *sizes = all_sizes;
    while (strcmp(sizes->name, arguments[2]) != 0) sizes++;
    const agent2048_plugin *plugin = load(arguments[1]);
    const agent2048_host host = {0};
    const agent2048_rules rules = {.four_numerator = 1, .four_denominator = 10, .cap_rank = 16};
    const agent2048_str params = {"{}", 2};
    agent2048_agent *agent = NULL;
    const int32_t status = plugin->create(guarded_copy(sizes->host, &host, sizeof host), 0,
                                          guarded_copy(sizes->rules, &rules, sizeof rules), params, &error, &agent);
    demand(status == AGENT2048_OK && agent != NULL, "create fails");
    demand(plugin->new_game(agent, 2048, &error) == AGENT2048_OK, "new_game fails");
    play(plugin, agent, sizes);
    plugin->destroy(agent);
    return 0;
}
