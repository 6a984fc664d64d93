import { randomBytes } from 'node:crypto';
import type { AddEndpoints } from './add-endpoints.ts';

/** HTML documents of unknown content, such as mails, which the page shows in frames. */
export interface Frames {
  /** Returns a path that loads the document once. The path needs no token, because a frame cannot send the token. */
  show(html: string): string;
  /** Adds an endpoint with an absolute path, outside `/_local/api`. */
  addEndpoints: AddEndpoints;
  /** Adds an endpoint with which the page shows an HTML response of the API, such as a printed invoice. */
  addFrameEndpoint: AddEndpoints;
}

/** The maximum number of documents that wait to be loaded. */
const mostWaiting = 50;
const folder = '/_local/frames/';

/** The document can run no scripts, load nothing from a network, submit no forms and open no pages. */
const frameHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};

export function createFrames(): Frames {
  const waiting = new Map<string, string>();
  function show(html: string): string {
    const id = randomBytes(24).toString('base64url');
    waiting.set(id, html);
    const [oldest] = waiting.keys();
    if (waiting.size > mostWaiting && oldest !== undefined) waiting.delete(oldest);
    return folder + id;
  }
  return {
    show,
    addFrameEndpoint(app) {
      app.post<{ Body: { html: string } }>('/frames', ({ body }) => ({ frame: show(body.html) }));
    },
    addEndpoints(app) {
      app.get<{ Params: { id: string } }>(`${folder}:id`, ({ params: { id } }, reply) => {
        const html = waiting.get(id);
        waiting.delete(id);
        return html === undefined
          ? reply.code(404).send({ message: 'This document was already loaded.' })
          : reply.headers(frameHeaders).send(html);
      });
    },
  };
}
