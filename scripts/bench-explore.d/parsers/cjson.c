/* cJSON: a text to a tree. */
#include "cJSON.c"
#include "input.h"

static void parse(void) {
    cJSON_Delete(cJSON_ParseWithLength((const char *)input, SIZE));
}
