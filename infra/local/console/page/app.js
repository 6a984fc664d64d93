import { html, nothing, render } from '/_local/lit-html/lit-html.js';
import { ConsoleError, followUpdates, keepToken } from './api.js';
import { accounts } from './screens/accounts.js';
import { activity } from './screens/activity.js';
import { billing } from './screens/billing.js';
import { domains } from './screens/domains.js';
import { home } from './screens/home.js';
import { mailbox } from './screens/mailbox.js';
import { partner } from './screens/partner.js';
import { queues } from './screens/queues.js';
import { schedules } from './screens/schedules.js';
import { supportAccess } from './screens/support-access.js';
import { table } from './screens/table.js';
import { underwriting } from './screens/underwriting.js';
import { webhooks } from './screens/webhooks.js';

/**
 * The screens by name, in the groups of the menu. `open(path, update)` loads the data of a screen and returns
 * `{ view, close }`. `path` is the part of the address after the name. `update` renders the view again. `close` ends
 * subscriptions.
 */
const groups = {
  Service: { home, activity, queues, schedules, table },
  Messages: { mailbox, webhooks, partner },
  Account: { accounts, domains, billing, underwriting, 'support-access': supportAccess },
};
const screens = Object.assign({}, ...Object.values(groups));

const [main, menu, connection] = ['main', 'screens', 'connection'].map((id) => document.getElementById(id));
let opened;
let opening = 0;

const placeOf = () => {
  const [, name = 'home', ...path] = location.hash.split('/').map(decodeURIComponent);
  return { name: name in screens ? name : 'home', path };
};

function renderMenu({ name }) {
  const item = ([id, { title }]) =>
    html`<li><a href="#/${id}" aria-current=${id === name ? 'page' : nothing}>${title}</a></li>`;
  const group = ([label, members]) =>
    html`<li><span aria-hidden="true">${label}</span> <ul aria-label=${label}>${Object.entries(members).map(item)}</ul></li>`;
  render(Object.entries(groups).map(group), menu);
  document.title = `${screens[name].title} · merchant-ops console`;
}

/**
 * Renders at most once per animation frame. lit-html changes only elements that differ, which keeps the
 * focus.
 */
let requested = false;
function update() {
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => {
    requested = false;
    if (opened) render(opened.view(), main);
  });
}

const problem = (
  error,
) => html`<h1>${error instanceof ConsoleError ? 'The console has no access' : 'Error'}</h1>
<p class="error" role="alert">${error.message}</p>`;

async function open(focus) {
  const place = placeOf();
  renderMenu(place);
  opening += 1;
  const current = opening;
  opened?.close?.();
  opened = undefined;
  try {
    const screen = await screens[place.name].open(place.path, update);
    if (current !== opening) {
      screen.close?.();
      return;
    }
    opened = screen;
    render(opened.view(), main);
  } catch (error) {
    render(problem(error), main);
  }
  if (focus) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

keepToken();
addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#/')) return;
  open(true);
});
open(false);
followUpdates((connected) => {
  connection.textContent = connected ? '' : 'The service does not respond.';
  if (connected && connection.dataset.lost) open(false);
  connection.dataset.lost = connected ? '' : 'true';
});
