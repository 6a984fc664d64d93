import { mintAppKey } from '../../../security/app-keys.ts';
import type { DataKeys } from '../../../security/data-keys.ts';
import { placeInApplication } from '../record/encrypt-application.ts';
import { appKeyPath } from '../record/sensitive-values.ts';
import type { StoredApplication } from '../record/stored-application.ts';

/** An application with its appKey in plain text. */
export interface WithAppKey {
  application: StoredApplication;
  appKey: string;
}

/** Returns the application with a new appKey. */
export async function withNewAppKey(application: StoredApplication, keys: DataKeys): Promise<WithAppKey> {
  const appKey = mintAppKey();
  const jwe = await keys.encrypt(placeInApplication(application, appKeyPath), appKey);
  return { application: { ...application, appKey: { jwe, faults: [] } }, appKey };
}
