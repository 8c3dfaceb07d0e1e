/*
 * A player that plays better the higher its parameter `skill` is, from 0 to 1, and counts more nodes for it: something to search.
 * With CHANCE, its random numbers depend on more than the seed of the game. From the skill `fails_from` on it fails in every third game, before its move 20; from `refuses_from` on it cannot be made.
 */
#define _GNU_SOURCE
#include "plugin.h"

#include <time.h>
#include <unistd.h>

#ifndef CHANCE
#define CHANCE 0
#endif
#ifndef SLEEP_US
#define SLEEP_US 0
#endif
#ifndef VERSION
#define VERSION "1.0.0"
#endif
#ifndef NAME
#define NAME "Tuned"
#endif
#ifndef PAPER
#define PAPER ""
#endif
#ifndef LICENCE
#define LICENCE "MIT"
#endif

struct agent2048_agent {
    double skill;
    double fails_from;
    uint64_t seed;
    uint64_t chance;
};

/* The number behind a name: all parameters are there, and no other text is. */
static double number(const char *params, const char *name) {
    const char *place = strstr(params, name);
    return place == NULL ? 0.0 : strtod(place + strlen(name), NULL);
}

static int32_t create(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent) {
    (void)host, (void)index, (void)rules;
    char text[512] = {0};
    memcpy(text, params.data, params.len < sizeof text - 1 ? (size_t)params.len : sizeof text - 1);
    const double skill = number(text, "\"skill\":");
    if (skill >= number(text, "\"refuses_from\":")) return fail(error, AGENT2048_FAILED, "too skilled to be made");
    *agent = calloc(1, sizeof **agent);
    (*agent)->skill = skill;
    (*agent)->fails_from = number(text, "\"fails_from\":");
    return AGENT2048_OK;
}

static int32_t new_game(agent2048_agent *agent, uint64_t seed, agent2048_text *error) {
    (void)error;
    agent->seed = seed;
    agent->chance = seed ^ (uint64_t)(CHANCE);
    return AGENT2048_OK;
}

static uint32_t draw(agent2048_agent *agent, uint32_t below) {
    agent->chance = agent->chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((agent->chance >> 33) % below);
}

static int32_t choose_move(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error) {
    static const uint32_t order[] = {2, 3, 1, 0};
    if (SLEEP_US > 0) nanosleep(&(struct timespec){.tv_nsec = SLEEP_US * 1000L}, NULL);
    if (agent->skill >= agent->fails_from && agent->seed % 3 == 0 && position->move_number == 20)
        return fail(error, AGENT2048_FAILED, "I have no idea");
    decision->nodes = 1 + (uint64_t)(agent->skill * 10);
#ifdef DRIFTS
    /* Another player, which no frozen position shows. */
    if (position->move_number == 40) agent->chance++;
#endif
    if (draw(agent, 1000) < agent->skill * 1000) {
        for (int place = 3; place >= 0; place--)
            if (position->legal & 1u << order[place]) decision->direction = order[place];
        return AGENT2048_OK;
    }
    do {
        decision->direction = draw(agent, 4);
    } while (!(position->legal & 1u << decision->direction));
    return AGENT2048_OK;
}

PLUGIN(NULL,
       .capabilities = AGENT2048_CAP_NO_BUDGET,
       .id = TEXT("tuned"),
       .name = TEXT(NAME),
       .version = TEXT(VERSION),
       .paper = TEXT(PAPER),
       .licence = TEXT(LICENCE),
       .params_schema = TEXT("{\"type\":\"object\",\"properties\":{"
                             "\"skill\":{\"type\":\"number\",\"default\":0.5},"
                             "\"fails_from\":{\"type\":\"number\",\"default\":9.0},"
                             "\"refuses_from\":{\"type\":\"number\",\"default\":9.0}}}"));
