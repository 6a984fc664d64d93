import { html, nothing, render } from 'lit-html';
import { ConsoleError, followUpdates, keepToken } from './api.ts';
import type { OpenedScreen, Screen } from './screen.ts';
import { activity } from './screens/activity.ts';
import { home } from './screens/home.ts';
import { mailbox } from './screens/mailbox.ts';
import { queues } from './screens/queues.ts';
import { receiver } from './screens/receiver.ts';
import { recordsScreen } from './screens/records.ts';
import { schedules } from './screens/schedules.ts';

/** The screens by name, in the groups of the menu. */
const groups: Record<string, Record<string, Screen>> = {
  Service: { home, activity, queues, schedules },
  Messages: { mailbox, receiver },
  API: { records: recordsScreen },
};
const screens = Object.assign({}, ...Object.values(groups)) as Record<string, Screen>;

const [main, menu, connection] = ['main', 'screens', 'connection'].map((id) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}) as [HTMLElement, HTMLElement, HTMLElement];
let opened: OpenedScreen | undefined;
let opening = 0;

interface Address {
  name: string;
  screen: Screen;
  path: string[];
  query: URLSearchParams;
}

function currentAddress(): Address {
  const [address = '', ...query] = location.hash.split('?');
  const [, name = 'home', ...path] = address.split('/').map(decodeURIComponent);
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined;
  return {
    name: screen ? name : 'home',
    screen: screen ?? home,
    path,
    query: new URLSearchParams(query.join('?')),
  };
}

function renderMenu({ name, screen }: Address): void {
  const item = ([id, { title }]: [string, Screen]) =>
    html`<li><a href="#/${id}" aria-current=${id === name ? 'page' : nothing}>${title}</a></li>`;
  const group = ([label, members]: [string, Record<string, Screen>]) =>
    html`<li><span aria-hidden="true">${label}</span> <ul aria-label=${label}>${Object.entries(members).map(item)}</ul></li>`;
  render(Object.entries(groups).map(group), menu);
  document.title = `${screen.title} · merchant-ops console`;
}

/**
 * Renders at most once per animation frame. lit-html changes only elements that differ, which keeps the
 * focus.
 */
let requested = false;
function update(): void {
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => {
    requested = false;
    if (opened) render(opened.view(), main);
  });
}

const problem = (
  error: unknown,
) => html`<h1>${error instanceof ConsoleError ? 'The console has no access' : 'Error'}</h1>
<p class="error" role="alert">${(error as Error).message}</p>`;

async function open(focus: boolean): Promise<void> {
  const address = currentAddress();
  renderMenu(address);
  opening += 1;
  const current = opening;
  opened?.close?.();
  opened = undefined;
  try {
    const screen = await address.screen.open(address.path, update, address.query);
    if (current !== opening) {
      screen.close?.();
      return;
    }
    opened = screen;
    // Removes the previous view, because a form of another address must not keep its values.
    render(nothing, main);
    render(screen.view(), main);
  } catch (error) {
    if (current === opening) render(problem(error), main);
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
