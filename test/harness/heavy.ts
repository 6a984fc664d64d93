/**
 * How much the tests that need many of something take. `npm run test:heavy` takes what is promised; a plain run, which
 * has to be over in minutes, takes less of the same.
 */
export const amount = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** So many requests at once, shared by weights 5, 3 and 1. */
export const crowd = amount('CROWD', 45);
/** What each of a rotation's members gets of a crowd: the last is inactive. */
export const shares = [5, 3, 1, 0].map((weight) => (weight * crowd) / 9);
/** Only every n-th route that reads is called while AWS requests fail, because most routes share the code that reads. */
export const readRoutesEvery = amount('READ_ROUTES_EVERY', 4);
/** The number of roles that are created, changed and deleted at once. An account has at most 100. */
export const roles = amount('ROLES', 25);
/** The number of tickets in a large bulk, at most 100. */
export const bulkSize = amount('BULK', 40);
/** So many rounds in which several change one record at once. */
export const rounds = amount('ROUNDS', 6);
/** So many times is something done that can only be shown by doing it often. */
export const runs = amount('RUNS', 1);
/** So many changes are made in each of those. */
export const mutations = amount('MUTATIONS', 150);
/** Of the calls at which a function is killed every so manieth; left out: the first alone. */
export const killEvery = amount('KILL_EVERY', Number.POSITIVE_INFINITY);
/** And where each takes less. */
export const killStep = amount('KILL_STEP', 5);
/** So many times the runner is ended by SIGKILL. */
export const sigkills = amount('SIGKILLS', 1);
/** So many requests are made of a table that throttles and cancels. */
export const requests = amount('REQUESTS', 100);
/** So many records are created while the runner is ended by SIGKILL. */
export const creations = amount('CREATIONS', 40);
/** So many changes of a few records are made at random, several at once. */
export const randomChanges = amount('RANDOM_CHANGES', 50);
/** So many members has an account of whom a few want to hear of something. */
export const members = amount('MEMBERS', 200);
/** And so many where all of them do. */
export const audience = amount('AUDIENCE', 300);
/** So many unread notifications are in a full inbox. */
export const fullInbox = amount('FULL_INBOX', 500);
/** So many leads in an hour, of each of which a user asked to hear by mail. */
export const leadsInAnHour = amount('LEADS_IN_AN_HOUR', 34);
/** So many bodies are judged by both validators of a contract: one that shares rules, and one that does not. */
export const judgedBodies = amount('JUDGED_BODIES', 6);
