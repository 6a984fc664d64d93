import { call } from './api.js';
import { liveData } from './live-data.js';
import { actions } from './run-action.js';

/**
 * Loads live data for a screen with changes. Returns `{ data, change, outcome }`. `change` calls an endpoint of the
 * console, and loads the data again. `outcome` shows the result of the last change; see run-action.js for `done`.
 */
export async function changeableData(load, update, topics = ['activity']) {
  const data = await liveData(load, update, topics);
  const action = actions(update);
  const change = (method, path, body, done) =>
    action.run(() => call(method, path, body), done).then(data.refresh);
  return { data, change, outcome: action.view };
}
