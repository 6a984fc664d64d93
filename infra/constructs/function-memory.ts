/**
 * MB of memory that each function has. CPU comes with it: 1,769 MB are one core (AWS, "Configure Lambda function memory"). A
 * request needs a few milliseconds of CPU and waits for the rest, so more would only cost.
 */
export const functionMegabytes = 1024;
