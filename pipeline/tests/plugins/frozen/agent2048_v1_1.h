/*
 * agent2048.h - the boundary between a host that runs games of 2048 and a plugin with agents that play them.
 *
 * This header is the contract. A plugin is a shared library that exports one symbol, agent2048_plugin_v1, whose
 * name carries the major version. It returns a table of functions; from then on the two sides talk through it.
 * In a game the host calls
 *
 *     plugin->create(host, index, rules, params, error, &agent)
 *         plugin->new_game(agent, seed, error)                      once a game
 *             plugin->choose_move(agent, position, decision, error) once a move
 *             spawner->place_tile(agent, afterstate, tile, error)   and then this, where the agent places the tiles
 *     plugin->destroy(agent)
 *
 * MEMORY. Nobody frees the other's memory. What a function is given is valid until it returns; copy what is to
 * be kept. The plugin table, its descriptors, all they point to, and every extension stay valid until the
 * process ends: a host never unloads a plugin. The host table stays valid until destroy has returned.
 *
 * THREADS. All calls for one agent come from the thread that created it, and none overlaps another. Several
 * agents of one plugin may live on several threads at once, so a plugin keeps no mutable global state.
 * agent2048_plugin_v1, descriptor and get_extension may be called from any thread.
 *
 * MANNERS. A plugin starts no thread pool, installs no signal handler, writes nothing to standard output (there
 * is a log callback), and lets no exception or panic cross the boundary. A decision depends on nothing but the
 * rules, the parameters, the seed, the budget and the positions of this game: not on time, addresses, earlier
 * games, or the machine. For floating point that means: no fused multiply-add (-ffp-contract=off), no -ffast-math.
 *
 * VERSIONS. Structs only grow, at their end, and carry their size. A reader copies the smaller of struct_size
 * and its own sizeof into a zeroed struct: fields that the other side does not know read as zero, and zero always
 * means "as before". A new minor version adds fields, capabilities and extensions; only a new major version
 * changes what is here, and gets a symbol of its own. A plugin that cannot work with a host that lacks some
 * feature sets that feature's bit in must_understand, and an older host refuses it.
 *
 * TYPES. Integers are 32 or 64 bits wide and padding is explicit. Both sides are 64-bit and little-endian.
 * Strings are a pointer and a length, UTF-8, not terminated. JSON carries 64-bit integers as hexadecimal strings.
 */
#ifndef AGENT2048_H
#define AGENT2048_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define AGENT2048_STATIC_ASSERT(condition, message) static_assert(condition, message)
extern "C" {
#else
#define AGENT2048_STATIC_ASSERT(condition, message) _Static_assert(condition, message)
#endif

#define AGENT2048_ABI_MAJOR 1u
#define AGENT2048_ABI_MINOR 1u
/* The bytes "AGNT2048" in memory. */
#define AGENT2048_MAGIC UINT64_C(0x38343032544e4741)

/* The four directions. In a mask, direction d is bit 1 << d. */
#define AGENT2048_UP 0u
#define AGENT2048_RIGHT 1u
#define AGENT2048_DOWN 2u
#define AGENT2048_LEFT 3u

/* What a function of a plugin returns. Anything but OK comes with a text in error, where there is one. */
#define AGENT2048_OK 0
#define AGENT2048_FAILED 1      /* something went wrong; the text says what */
#define AGENT2048_BAD_PARAMS 2  /* create: the parameters are not as the schema says */
#define AGENT2048_BAD_RULES 3   /* create: the agent cannot model these rules */
#define AGENT2048_BAD_BUDGET 4  /* choose_move: the agent does not take a budget of this kind */
#define AGENT2048_PANICKED 5    /* a panic was caught; the agent can only be destroyed */

/* How tiles merge in one slide: agent2048_rules.merging. */
#define AGENT2048_MERGE_ONCE 0u      /* a tile made in a slide does not merge again in it */
#define AGENT2048_MERGE_CASCADING 1u /* it may */

/* The board that games begin on: agent2048_rules.start. */
#define AGENT2048_START_TWO_TILES 0u
#define AGENT2048_START_SCATTER 1u
#define AGENT2048_START_BOARD 2u

/* Who places the tile that comes after a slide: agent2048_rules.spawn. Since 1.1. */
#define AGENT2048_SPAWN_RANDOM 0u      /* chance does */
#define AGENT2048_SPAWN_ADVERSARIAL 1u /* the agent does, against itself: AGENT2048_EXT_SPAWNER. No other gets such rules */

/* The unit of agent2048_position.budget. A budget is for one move. */
#define AGENT2048_BUDGET_NONE 0u     /* the agent is to take as little or as much as its method does */
#define AGENT2048_BUDGET_PLIES 1u    /* the depth of the search, in moves of either side */
#define AGENT2048_BUDGET_NODES 2u    /* positions that the search expands */
#define AGENT2048_BUDGET_PLAYOUTS 3u /* games played to their end */
#define AGENT2048_BUDGET_TIME 4u     /* nanoseconds of wall time: never reproducible */

/* Capabilities, bits of agent2048_descriptor.capabilities. A host ignores bits that it does not know. */
#define AGENT2048_CAP_NO_BUDGET UINT64_C(0x01) /* takes AGENT2048_BUDGET_NONE, and so on */
#define AGENT2048_CAP_PLIES UINT64_C(0x02)
#define AGENT2048_CAP_NODES UINT64_C(0x04)
#define AGENT2048_CAP_PLAYOUTS UINT64_C(0x08)
#define AGENT2048_CAP_TIME UINT64_C(0x10)
/* Looks at its budget only between larger pieces of work, so that it may spend more than it was given. */
#define AGENT2048_CAP_OVERRUNS UINT64_C(0x20)
/* Places the tiles of adversarial games: the plugin has AGENT2048_EXT_SPAWNER, and it works for this agent. Since 1.1. */
#define AGENT2048_CAP_SPAWNER UINT64_C(0x40)

/* The severity of a line of log. */
#define AGENT2048_LOG_DEBUG 0u
#define AGENT2048_LOG_INFO 1u
#define AGENT2048_LOG_WARN 2u
#define AGENT2048_LOG_ERROR 3u

/* UTF-8, not terminated; data may be null where len is 0. */
typedef struct agent2048_str {
    const char *data;
    uint64_t len;
} agent2048_str;

/* Room for a text, owned by the caller: the callee writes at most capacity bytes of UTF-8 to data, and sets len. */
typedef struct agent2048_text {
    char *data;
    uint64_t capacity;
    uint64_t len;
} agent2048_text;

/* The rules of the games that an agent is made for. An agent refuses what it cannot model (AGENT2048_BAD_RULES). */
typedef struct agent2048_rules {
    uint32_t struct_size;
    uint32_t four_numerator; /* odds of a spawned 4, in lowest terms */
    uint32_t four_denominator;
    uint32_t merging; /* AGENT2048_MERGE_... */
    uint32_t start;   /* AGENT2048_START_... */
    /* START_SCATTER: the weights with which each cell by itself is empty or holds a tile; else 0. */
    uint32_t scatter_empty;
    uint32_t scatter_two;
    uint32_t scatter_four;
    uint32_t scatter_eight;
    uint32_t stop_rank; /* making a tile of this rank, 3 to 15, ends the game; 0: no tile does */
    uint32_t cap_rank;  /* making a tile of this rank ends every game: 16, the 65536 tile */
    uint32_t reserved;
    uint64_t start_board; /* START_BOARD: the board, packed as in agent2048_position; else 0 */
    /* Since 1.1. */
    uint32_t spawn; /* AGENT2048_SPAWN_... */
    uint32_t reserved_1;
} agent2048_rules;

/* A board that awaits a move. */
typedef struct agent2048_position {
    uint32_t struct_size;
    uint32_t rows;        /* 4 */
    uint32_t cols;        /* 4 */
    uint32_t legal;       /* mask of the legal directions; never 0 */
    uint64_t board;       /* the rank of cell i, counted row by row from the top left, at bit 4 * i */
    uint64_t score;       /* points so far */
    uint64_t move_number; /* moves played so far */
    const uint8_t *cells; /* rows * cols ranks, row by row: 0 is empty, 1 is a 2, 11 is a 2048 */
    uint32_t budget_kind; /* AGENT2048_BUDGET_... */
    uint32_t reserved;
    uint64_t budget; /* how much of that unit this move may take; 0 for BUDGET_NONE */
} agent2048_position;

/* What an agent decides. The host has zeroed it and set struct_size; write no further than that. */
typedef struct agent2048_decision {
    uint32_t struct_size;
    uint32_t direction; /* AGENT2048_UP ... AGENT2048_LEFT; one that is illegal forfeits the game */
    uint64_t nodes;     /* positions expanded for this move; 0 where the method has none */
    uint64_t spent;     /* how much of the budget was used, in the budget's unit */
    uint32_t depth;     /* plies that the search looked ahead; 0 where the method has no depth */
    uint32_t has_value; /* 1 if value is set */
    double value;       /* the agent's estimate of the position, in whatever unit it thinks */
} agent2048_decision;

/* One agent of a plugin. Its texts are single lines that show as they are: no control characters, no overrides of the direction of
 * writing; a citation has at most 1000 characters, a name, a version, a licence and the name of a parameter at most 200. */
typedef struct agent2048_descriptor {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t capabilities; /* AGENT2048_CAP_... */
    agent2048_str id;      /* lower-case letters, digits, '-' and '_'; what a manifest names */
    agent2048_str name;    /* for people */
    agent2048_str version; /* of the agent's behaviour */
    agent2048_str paper;   /* citation of the method; empty where there is none */
    agent2048_str licence; /* SPDX expression */
    /* JSON schema of the parameters: {"type":"object","properties":{...}}, each property with its "default". */
    agent2048_str params_schema;
} agent2048_descriptor;

/* What a host offers to an agent; context goes back into every call. Call these only from within the agent's calls. */
typedef struct agent2048_host {
    uint32_t struct_size;
    uint32_t abi_minor; /* the host's minor version */
    void *context;
    void (*log)(void *context, uint32_t level, agent2048_str line);
    /* 1 where the host wants the agent to return soon with the best it has: after that the game does not count. */
    uint32_t (*should_stop)(void *context);
    /* An extension of the host, or null. */
    const void *(*get_extension)(void *context, agent2048_str id);
} agent2048_host;

/* An agent under way: the plugin's own. */
typedef struct agent2048_agent agent2048_agent;

typedef struct agent2048_plugin {
    uint64_t magic; /* AGENT2048_MAGIC */
    uint32_t abi_major;
    uint32_t abi_minor;
    uint32_t struct_size;
    uint32_t agent_count;
    uint64_t must_understand; /* features without which a host cannot drive this plugin; 1.0 knows none: 0 */

    /* The descriptor of agent index < agent_count; null for any other. */
    const agent2048_descriptor *(*descriptor)(uint32_t index);

    /*
     * Makes an agent for games under these rules. params is a JSON object; parameters that are left out have their
     * defaults; unknown ones, and values that the schema does not allow, are AGENT2048_BAD_PARAMS. On AGENT2048_OK
     * *agent is set, and the host will destroy it; otherwise *agent stays as it is.
     */
    int32_t (*create)(const agent2048_host *host, uint32_t index, const agent2048_rules *rules, agent2048_str params,
                      agent2048_text *error, agent2048_agent **agent);

    /* A new game begins. After it nothing of earlier games matters. The seed is the agent's only source of chance. */
    int32_t (*new_game)(agent2048_agent *agent, uint64_t seed, agent2048_text *error);

    /* Chooses a move for a board of the game that new_game began. */
    int32_t (*choose_move)(agent2048_agent *agent, const agent2048_position *position, agent2048_decision *decision,
                           agent2048_text *error);

    /* Ends an agent's life. Called exactly once for each agent made. */
    void (*destroy)(agent2048_agent *agent);

    /* An extension of the plugin, such as AGENT2048_EXT_MOVE_VALUES, or null. May itself be null. */
    const void *(*get_extension)(agent2048_str id);
} agent2048_plugin;

/* The one symbol of a plugin. Cheap, and the same table at every call. */
#define AGENT2048_SYMBOL "agent2048_plugin_v1"
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const agent2048_plugin *agent2048_plugin_v1(void);

/* ------------------------------------------------------------------------------------------ extensions */

/* The values of all moves behind the last decision. get_extension returns an agent2048_ext_move_values. */
#define AGENT2048_EXT_MOVE_VALUES "agent2048.move-values/1"

typedef struct agent2048_move_values {
    uint32_t struct_size;
    uint32_t known; /* mask of the directions that have a value */
    double value[4];
    uint64_t nodes[4];
} agent2048_move_values;

typedef struct agent2048_ext_move_values {
    uint32_t struct_size;
    uint32_t reserved;
    /* Fills in what is known of the last decision of this agent; the host has zeroed it and set struct_size. */
    int32_t (*move_values)(agent2048_agent *agent, agent2048_move_values *values);
} agent2048_ext_move_values;

/*
 * The tiles of adversarial games (agent2048_rules.spawn), since 1.1. get_extension returns an agent2048_ext_spawner. A host makes
 * an agent for such rules only if its descriptor has AGENT2048_CAP_SPAWNER. The start is still drawn by chance. After each
 * slide of the agent's, unless it ended the game, the host asks the agent for the tile that is worst for it, by its own
 * evaluation: a 2 or a 4 that the odds of a 4 leave possible, in an empty cell. Any other tile forfeits the game, as an
 * illegal direction does, and the slide then counts as not played.
 */
#define AGENT2048_EXT_SPAWNER "agent2048.spawner/1"

/* A board that has slid and awaits a tile. */
typedef struct agent2048_afterstate {
    uint32_t struct_size;
    uint32_t rows; /* 4 */
    uint32_t cols; /* 4 */
    uint32_t budget_kind; /* AGENT2048_BUDGET_... */
    uint64_t board;       /* packed as in agent2048_position */
    uint64_t score;       /* points so far, this slide's included */
    uint64_t move_number; /* moves played before this one: as in the position of which choose_move chose the slide */
    const uint8_t *cells; /* rows * cols ranks, row by row */
    uint64_t budget;      /* how much of that unit this tile may take */
} agent2048_afterstate;

/* The tile that an agent places. The host has zeroed it and set struct_size; write no further than that. */
typedef struct agent2048_tile {
    uint32_t struct_size;
    uint32_t cell; /* 0 to 15, row by row from the top left */
    uint32_t rank; /* 1 or 2 */
    uint32_t reserved;
    uint64_t nodes; /* positions expanded for it; 0 where the method has none */
    uint64_t spent; /* how much of the budget was used, in the budget's unit */
} agent2048_tile;

typedef struct agent2048_ext_spawner {
    uint32_t struct_size;
    uint32_t reserved;
    /* Places a tile after the slide that this agent chose last. Depends on what choose_move depends on. */
    int32_t (*place_tile)(agent2048_agent *agent, const agent2048_afterstate *afterstate, agent2048_tile *tile,
                          agent2048_text *error);
} agent2048_ext_spawner;

/* --------------------------------------------------------------------------------- the layout, checked */

AGENT2048_STATIC_ASSERT(sizeof(void *) == 8, "agent2048.h is for 64-bit platforms");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_str) == 16, "agent2048_str");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_text) == 24, "agent2048_text");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_rules) == 64, "agent2048_rules");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_rules, start_board) == 48, "agent2048_rules.start_board");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_rules, spawn) == 56, "agent2048_rules.spawn");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_position) == 64, "agent2048_position");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_position, cells) == 40, "agent2048_position.cells");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_position, budget) == 56, "agent2048_position.budget");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_decision) == 40, "agent2048_decision");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_decision, value) == 32, "agent2048_decision.value");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_descriptor) == 112, "agent2048_descriptor");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_descriptor, params_schema) == 96, "agent2048_descriptor.params_schema");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_host) == 40, "agent2048_host");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_plugin) == 80, "agent2048_plugin");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_plugin, descriptor) == 32, "agent2048_plugin.descriptor");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_plugin, get_extension) == 72, "agent2048_plugin.get_extension");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_move_values) == 72, "agent2048_move_values");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_ext_move_values) == 16, "agent2048_ext_move_values");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_afterstate) == 56, "agent2048_afterstate");
AGENT2048_STATIC_ASSERT(offsetof(agent2048_afterstate, cells) == 40, "agent2048_afterstate.cells");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_tile) == 32, "agent2048_tile");
AGENT2048_STATIC_ASSERT(sizeof(agent2048_ext_spawner) == 16, "agent2048_ext_spawner");

#ifdef __cplusplus
}
#endif

#endif
