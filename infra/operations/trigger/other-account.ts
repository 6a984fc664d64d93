import type { Caller } from './caller.ts';

/** The action is not possible with this service. The message contains the reason. */
export class CannotTrigger extends Error {
  override readonly name = 'CannotTrigger';
}

/** Creates another account. Throws CannotTrigger if the service is not on this machine. */
export async function otherAccount({ createAccount }: Caller) {
  if (!createAccount)
    throw new CannotTrigger(
      'This event needs another account, which only an operator can create. Omit --base-url to use the local service, or run npm run ops -- accounts create.',
    );
  return createAccount();
}
