/* Not a plugin: a library to preload, which sets the time of day to NOW seconds after 1970. Other clocks run on. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock == CLOCK_REALTIME) {
        time->tv_sec = NOW;
        time->tv_nsec = 0;
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, time);
}
