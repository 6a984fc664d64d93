import type { AccountId } from '../accounts/account-id.ts';
import { minuteOf } from '../auth/call-limit.ts';
import { commit, LostRace } from '../table/commit.ts';
import { quotaMetKey } from '../table/keys.ts';
import { pause } from '../table/pause.ts';
import { isTally, type Write } from '../table/write.ts';
import { announceOnce } from './announce-once.ts';
import { runBeside } from './beside.ts';
import { type Contract, successStatus } from './contract.ts';
import { limitCalls } from './count-calls.ts';
import type { AnyEndpoint, Outcome, Request } from './endpoint.ts';
import { busy, Refusal } from './errors.ts';
import { findReply, rememberReply, replay } from './idempotency.ts';
import { jsonReply, type Reply } from './reply.ts';
import { seal } from './seal.ts';
import { type Shape, shaped } from './shape.ts';
import type { HttpEvent, Turn, TurnContext } from './turn.ts';

/**
 * Lets the endpoint do what it does once, then decide, and commits what it decided, with its events and the
 * idempotency row, in one transaction. A race that was lost is read and decided again while there is time. Where a
 * twin of the request, with the same Idempotency-Key, was faster, its answer is this one's too, even if there is now
 * a reason to refuse.
 */
export const act =
  (endpoint: AnyEndpoint, shape: Shape) =>
  async (event: HttpEvent, { turn }: TurnContext): Promise<Reply> => {
    if (turn.idempotency?.stored) return replay(turn.idempotency.stored, turn.asked);
    const request = requestOf(event, turn);
    const once = onlyOnce(endpoint, request);
    for (;;) {
      try {
        return await decideAndCommit({ ...endpoint, shape }, once, request, event, turn);
      } catch (error) {
        if (!(error instanceof LostRace || error instanceof Refusal)) throw error;
        const twin = turn.idempotency && (await findReply(turn.idempotency.key, turn.now));
        if (twin) return replay(twin, turn.asked);
        if (error instanceof Refusal) {
          if (error.code === 'quota_exceeded') announceQuota(endpoint.contract, event, turn);
          throw error;
        }
        if (Date.now() >= turn.deadline) throw busy();
        turn.attempts = error.attempts;
        await pause(turn.attempts);
      }
    }
  };

/** The endpoint's `once` for one request: it runs when it is first asked, and never again. */
function onlyOnce({ once, provisional, decide }: AnyEndpoint, request: Request) {
  const take = async (loaded: unknown): Promise<unknown> => {
    if (provisional !== undefined)
      holdIfMatch(request.headers['if-match'], await decide(request, loaded, provisional));
    return once?.(request, loaded);
  };
  let taking: Promise<unknown> | undefined;
  return (loaded: unknown): Promise<unknown> => {
    taking ??= take(loaded);
    return taking;
  };
}

async function decideAndCommit(
  { contract, shape, read, decide }: AnyEndpoint & { shape: Shape },
  once: (loaded: unknown) => Promise<unknown>,
  request: Request,
  event: HttpEvent,
  turn: Turn,
): Promise<Reply> {
  if (turn.namesNothing) throw new Refusal('not_found');
  const loaded = await (turn.loading ?? read?.(request));
  turn.loading = undefined;
  const outcome: Outcome<unknown> = await decide(request, loaded, await once(loaded));
  holdIfMatch(turn.headers['if-match'], outcome);
  const reply = replyTo(contract, shape, outcome);
  await commitOutcome(contract, event, turn, outcome, reply);
  return reply;
}

function requestOf(event: HttpEvent, turn: Turn): Request {
  return {
    ...turn,
    // Endpoints that are public or name no account do not look at these; the contract's access says so.
    account: turn.account as AccountId,
    caller: turn.caller as Request['caller'],
    accountRecord: turn.accountRecord as Request['accountRecord'],
    path: event.rawPath,
    ipAddress: event.requestContext.http.sourceIp,
    countCall: (principal, counter) => limitCalls(event, turn, principal, counter, 1),
  };
}

const replyTo = (contract: Contract, shape: Shape, { answer, headers, reply }: Outcome<unknown>): Reply =>
  reply ?? jsonReply(successStatus(contract), shaped(answer, shape), headers);

async function commitOutcome(
  contract: Contract,
  event: HttpEvent,
  turn: Turn,
  { writes = [], events = [] }: Outcome<unknown>,
  reply: Reply,
): Promise<void> {
  const all: Write[] = [...writes];
  if (turn.idempotency)
    all.push(await rememberReply(turn.idempotency.key, contract, turn.asked, reply, turn.now));
  await commit({
    writes: all,
    events: events.map((announcement) => seal(announcement, event, turn)),
    deadline: turn.deadline,
    attempts: turn.attempts,
  });
}

/** A quota that was met is an event of its own: nothing else was written. */
function announceQuota({ path }: Contract, event: HttpEvent, turn: Turn): void {
  const { account } = turn;
  if (account === undefined) return;
  const mark = quotaMetKey(account, path, minuteOf(turn.now));
  const subject = { type: 'account', id: account };
  const announcement = { kind: 'quota_exceeded', subject, data: { quota: path } } as const;
  runBeside(turn, 'announce quota', () => announceOnce(mark, () => seal(announcement, event, turn), turn));
}

/** Holds If-Match against the version the decision was based on, or else shows. */
function holdIfMatch(header: string | undefined, { answer, writes }: Outcome<unknown>): void {
  if (header === undefined || header.trim() === '*') return;
  const [, version] = /^\s*"(\d{1,16})"\s*$/.exec(header) ?? [];
  if (version === undefined) throw new Refusal('invalid_if_match');
  const based = writes?.flatMap((write) => (isTally(write) ? [] : (write.basedOn ?? [])))[0];
  const current = based ?? (answer as { version?: number } | null)?.version;
  if (current !== undefined && current !== Number(version)) throw new Refusal('version_mismatch');
}
