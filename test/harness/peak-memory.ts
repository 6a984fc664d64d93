import { readFileSync } from 'node:fs';

/**
 * Returns the most memory that this process had, in MB. On Linux, `maxRSS` of `process.resourceUsage()` begins with the memory
 * of the process that started this one, because Linux keeps the value when a process starts a program. `VmHWM` does not.
 */
export function peakMemory(): number {
  const kilobytes =
    process.platform === 'linux'
      ? Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS;
  return Math.ceil(kilobytes / 1024);
}
