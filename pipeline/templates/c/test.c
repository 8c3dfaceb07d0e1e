/* What is true of this agent: on boards whose answer is known, it gives that answer. */
#include "agent2048.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

/* Asks a new agent about a board, given as ranks row by row, and compares. */
static void expect(const char *what, const uint8_t cells[16], uint32_t legal, uint32_t direction) {
    const agent2048_plugin *plugin = agent2048_plugin_v1();
    agent2048_host host;
    agent2048_rules rules;
    agent2048_position position;
    agent2048_decision decision;
    agent2048_agent *agent = NULL;
    agent2048_text error = {NULL, 0, 0};
    agent2048_str params = {"{}", 2};
    memset(&host, 0, sizeof host);
    memset(&rules, 0, sizeof rules);
    memset(&position, 0, sizeof position);
    memset(&decision, 0, sizeof decision);
    host.struct_size = sizeof host;
    rules.struct_size = sizeof rules;
    rules.four_numerator = 1;
    rules.four_denominator = 10;
    rules.cap_rank = 16;
    position.struct_size = sizeof position;
    position.rows = position.cols = 4;
    position.legal = legal;
    position.cells = cells;
    for (int i = 0; i < 16; i++) position.board |= (uint64_t)cells[i] << (4 * i);
    decision.struct_size = sizeof decision;
    int is_right = plugin->create(&host, 0, &rules, params, &error, &agent) == AGENT2048_OK &&
                   plugin->new_game(agent, 1, &error) == AGENT2048_OK &&
                   plugin->choose_move(agent, &position, &decision, &error) == AGENT2048_OK &&
                   decision.direction == direction;
    if (agent != NULL) plugin->destroy(agent);
    printf("%s  %s\n", is_right ? "passed" : "FAILED", what);
    failures += !is_right;
}

int main(void) {
    const uint32_t all = 15;
    const uint8_t middle[16] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const uint8_t low[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    expect("it goes down where it can", middle, all, AGENT2048_DOWN);
    expect("and left where it cannot", low, all & ~(1u << AGENT2048_DOWN), AGENT2048_LEFT);
    return failures != 0;
}
