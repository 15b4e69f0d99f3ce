/* libyaml: all events of a stream. */
#include "yaml.h"
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    yaml_parser_t parser;
    yaml_event_t event;
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, data, size);
    for (int last = 0; !last;) {
        if (!yaml_parser_parse(&parser, &event))
            break;
        last = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return 0;
}

#include "harness-main.h"
