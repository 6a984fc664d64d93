import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DNS from 'dns2';
import { loopbackCertificate, loopbackKey } from './certificate.ts';
import { domainAuthority, domainCertificate, domainKey } from './domain-certificate.ts';

/** The records of a name. A name that begins with `*.` matches all names below that do not exist. */
interface NameRecords {
  A?: string[];
  NS?: string[];
  TXT?: string[];
  CNAME?: string;
}

/** The responses of a name server: its records, or a failure. `silent` means that it sends no response. */
interface NameServer {
  names: Map<string, NameRecords>;
  failure?: 'SERVFAIL' | 'silent';
  /** The questions received, such as `TXT pay.example.com`. */
  asked: string[];
}

interface WebPage {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Name servers and a web server on loopback addresses. */
export interface DomainServersOfTest {
  /** The resolver, which is also the authoritative server of all names at 127.0.0.1. */
  dns: NameServer;
  /** Starts an authoritative server at another loopback address, such as 127.0.0.2, with the same port. */
  authoritativeAt(address: string): Promise<NameServer>;
  /** The responses of the web server, by host. */
  pages: Map<string, WebPage>;
  useValidCertificate(valid: boolean): void;
  /** The value of the environment variable `DOMAIN_SERVERS`. */
  setting: string;
  stop(): void;
}

const { Packet } = DNS;
const notFound = 3;
const failed = 2;

/** Starts the servers. Nothing resolves until the test adds names. */
export async function startDomainServers(): Promise<DomainServersOfTest> {
  const stops: (() => void)[] = [];
  const serve = async (address: string, at: number) => {
    const server: NameServer = { names: new Map(), asked: [] };
    const udp = DNS.createUDPServer((request, send) => {
      const response = answerOf(server, request);
      if (response) void send(response);
    });
    await udp.listen(at, address);
    // A test file that does not stop the servers can still end.
    udp.unref();
    stops.push(() => udp.close());
    return { server, port: (udp.address() as AddressInfo).port };
  };
  const { server: dns, port } = await serve('127.0.0.1', 0);
  const pages = new Map<string, WebPage>();
  const web = await startWebServer(pages);
  web.unref();
  stops.push(() => void web.close());
  const caFile = join(mkdtempSync(join(tmpdir(), 'merchant-ops-domains-')), 'ca.pem');
  writeFileSync(caFile, domainAuthority);
  const https = (web.address() as AddressInfo).port;
  return {
    dns,
    authoritativeAt: async (address) => (await serve(address, port)).server,
    pages,
    useValidCertificate: (valid) =>
      web.setSecureContext(
        valid ? { cert: domainCertificate, key: domainKey } : { cert: loopbackCertificate, key: loopbackKey },
      ),
    setting: JSON.stringify({ dns: `127.0.0.1:${port}`, https, caFile }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

async function startWebServer(pages: ReadonlyMap<string, WebPage>): Promise<Server> {
  const web = createServer({ cert: domainCertificate, key: domainKey }, (request, response) => {
    const [host = ''] = request.headers.host?.split(':') ?? [];
    const { status = 200, headers = {}, body = '' } = pages.get(`${host}${request.url}`) ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  return web;
}

const typeNames = { [Packet.TYPE.A]: 'A', [Packet.TYPE.NS]: 'NS', [Packet.TYPE.TXT]: 'TXT' } as const;

function answerOf(server: NameServer, request: DNS.Packet): DNS.Packet | undefined {
  const [question] = request.questions;
  if (!question) return undefined;
  const name = question.name.toLowerCase();
  const type = question.type === Packet.TYPE.CNAME ? 'CNAME' : typeNames[question.type as 1 | 2 | 16];
  server.asked.push(`${type} ${name}`);
  if (server.failure === 'silent') return undefined;
  const response = Packet.createResponseFromRequest(request);
  response.header.aa = 1;
  if (server.failure === 'SERVFAIL') response.header.rcode = failed;
  else if (!recordsOf(server, name)) response.header.rcode = notFound;
  else response.answers.push(...resourcesOf(server, name, type));
  return response;
}

/** The records of a name: its own, of a wildcard, or none if only names below it exist. */
function recordsOf({ names }: NameServer, name: string): NameRecords | undefined {
  const own = names.get(name);
  if (own) return own;
  if ([...names.keys()].some((other) => other.endsWith(`.${name}`) && !other.startsWith('*.'))) return {};
  for (let above = name; above.includes('.'); ) {
    above = above.slice(above.indexOf('.') + 1);
    const wildcard = names.get(`*.${above}`);
    if (wildcard) return wildcard;
    if (names.has(above)) return undefined;
  }
  return undefined;
}

type ResourceData = Omit<Partial<DNS.Packet.Resource>, 'name' | 'class' | 'ttl' | 'toBuffer'>;

/** The resources of an answer. Like other servers, the server adds the records of an alias's target. */
function resourcesOf(server: NameServer, name: string, type: string | undefined): DNS.Packet.Resource[] {
  const records = recordsOf(server, name) ?? {};
  const resource = (data: ResourceData) =>
    ({ name, class: Packet.CLASS.IN, ttl: 1, ...data }) as DNS.Packet.Resource;
  if (records.CNAME !== undefined) {
    const alias = resource({ type: Packet.TYPE.CNAME, domain: records.CNAME });
    return type === 'CNAME' ? [alias] : [alias, ...resourcesOf(server, records.CNAME, type)];
  }
  if (type === 'A') return (records.A ?? []).map((address) => resource({ type: Packet.TYPE.A, address }));
  if (type === 'NS') return (records.NS ?? []).map((ns) => resource({ type: Packet.TYPE.NS, ns }));
  if (type === 'TXT') return (records.TXT ?? []).map((data) => resource({ type: Packet.TYPE.TXT, data }));
  return [];
}
