/*
 * An agent at the other end of the bridge, in plain C: the first legal direction, one node for each. Built with
 * -DFAULT=..., it is bad in the games whose seed is a multiple of EVERY, before move AT_MOVE; or at its start.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY 9
#define AT_MOVE 20
#ifndef FAULT
#define FAULT none
#endif

static void none(void) {}
static void aborts(void) {
    fprintf(stderr, "the table is upside down\n");
    abort();
}
static void exits(void) { exit(7); }
static void hangs(void) {
    for (;;) pause();
}
static void late(void) { sleep(4); }
static void garbage(void) { printf("hm, let me see\n"); }
static void latin(void) { printf("{\"type\":\"move\",\"direction\":\"\xdc\"}\n"); }
static void no_direction(void) { printf("{\"type\":\"move\",\"direction\":\"X\"}\n"); }
static void huge(void) {
    for (int i = 0; i < 3 << 20; i++) putchar('x');
    putchar('\n');
}
static void closes(void) {
    fclose(stdout);
    for (;;) pause();
}
static void complains(void) { printf("{\"type\":\"error\",\"reason\":\"the network is down\"}\n"); }
/* Starts a process that outlives it, if anything lets it. */
static void forks(void) {
    if (fork() == 0) {
        FILE *file = fopen("grandchild", "w");
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
        for (;;) pause();
    }
    abort();
}
/* At the start. */
static void mute(void) {
    for (;;) pause();
}
static void leaves(void) {
    fprintf(stderr, "no module named numpy\n");
    exit(3);
}

static bool is(void (*fault)(void)) { return (void (*)(void))FAULT == fault; }

static const char *after(const char *line, const char *key) {
    const char *found = strstr(line, key);
    return found ? found + strlen(key) : "";
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    uint64_t seed = 1;
    if (is(mute) || is(leaves)) FAULT();
    while (getline(&line, &room, stdin) > 0) {
        const char *type = after(line, "\"type\":\"");
        if (strncmp(type, "hello", 5) == 0) {
            printf("{\"type\":\"hello\",\"protocol\":1,\"id\":\"bad\",\"version\":\"1.0.0\"}\n");
        } else if (strncmp(type, "setup", 5) == 0) {
            printf("{\"type\":\"log\",\"line\":\"here I am\"}\n{\"type\":\"ready\"}\n");
        } else if (strncmp(type, "new-game", 8) == 0) {
            seed = strtoull(after(line, "\"seed\":\""), NULL, 16);
        } else if (strncmp(type, "position", 8) == 0) {
            const char *legal = after(line, "\"legal\":\"");
            if (seed % EVERY == 0 && atoi(after(line, "\"move\":")) == AT_MOVE) FAULT();
            printf("{\"type\":\"move\",\"direction\":\"%c\",\"nodes\":1}\n", *legal);
        } else if (strncmp(type, "quit", 4) == 0) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
