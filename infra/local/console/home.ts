import type { LocalCredentials } from '../credentials.ts';
import type { AddEndpoints } from './add-endpoints.ts';

interface Home {
  credentials: LocalCredentials;
  /** The path of the data folder, or a text if the data is in memory. */
  dataFolder: string;
}

/** The endpoint of the screen Home. */
export const homeEndpoints =
  (home: Home): AddEndpoints =>
  (app) => {
    app.get('/home', () => home);
  };
