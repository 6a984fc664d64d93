import type { ServerResponse } from 'node:http';
import type { AddEndpoints } from './add-endpoints.ts';

/** Sends updates to the open pages of the console, as server-sent events. */
export interface Live {
  /** Sends an update to all open pages. `topic` names the kind of the update, for example `activity`. */
  publish(topic: string, data: unknown): void;
  addEndpoints: AddEndpoints;
  stop(): void;
}

/** If more than this number of bytes wait to be sent to a page, the page is disconnected. */
const largestBacklog = 4 * 1024 * 1024;

export function liveUpdates(): Live {
  const pages = new Set<ServerResponse>();
  return {
    publish(topic, data) {
      if (pages.size === 0) return;
      const text = `event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`;
      for (const page of pages) {
        if (page.writableLength > largestBacklog) page.destroy();
        else page.write(text);
      }
    },
    addEndpoints(app) {
      app.get('/live', (_, reply) => {
        reply.hijack();
        const page = reply.raw;
        page.writeHead(200, { ...reply.getHeaders(), 'content-type': 'text/event-stream' } as Record<
          string,
          string
        >);
        page.write(': connected\n\n');
        pages.add(page);
        page.once('close', () => pages.delete(page));
      });
    },
    stop() {
      for (const page of pages) page.end();
    },
  };
}
