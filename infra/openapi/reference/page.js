/* The API reference in the browser: Swagger UI, the table of contents, and the sign-in. */
const element = (id) => document.getElementById(id);
const api = JSON.parse(element('document').textContent);
const wide = matchMedia('(min-width: 60rem)');

/** The response of POST /auth/login or GET /auth/session. */
let session;
let ui;

/** Draws the reference for this account, with the token of the session. */
function draw(accountId) {
  for (const name of ['AccountId', 'OptionalAccountId']) {
    const parameter = api.components.parameters[name];
    if (parameter) parameter.example = accountId;
  }
  const place = document.createElement('div');
  element('reference').replaceChildren(place);
  ui = window.SwaggerUIBundle({
    domNode: place,
    spec: structuredClone(api),
    // With more than 150 rows, Swagger UI draws only the visible rows, so links and browser search miss the other rows.
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    syntaxHighlight: { theme: 'obsidian' },
    onComplete: () => {
      if (session) ui.preauthorizeApiKey('sessionToken', session.token);
      follow();
    },
  });
}

/** Opens the operation that the page's address refers to. */
function follow() {
  const links = [...element('operations').querySelectorAll('a')];
  for (const link of links) link.ariaCurrent = link.hash === location.hash ? 'true' : null;
  if (!links.some((link) => link.ariaCurrent)) return;
  const [, tag, id] = decodeURIComponent(location.hash).split('/');
  if (!wide.matches) element('contents').open = false;
  const { layoutActions } = ui.getSystem();
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, id], true);
  goTo(`operations-${tag.replaceAll(' ', '_')}-${id}`);
}

/** Scrolls to an element as soon as Swagger UI has drawn it. */
function goTo(id, patience = performance.now() + 5000) {
  const drawn = element(id);
  if (drawn) {
    drawn.scrollIntoView();
    drawn.querySelector('button').focus({ preventScroll: true });
  } else if (performance.now() < patience) requestAnimationFrame(() => goTo(id, patience));
}

/** Adds missing labels for screen readers, and makes examples scrollable by keyboard. */
function improveAccessibility() {
  const reference = element('reference');
  for (const field of reference.querySelectorAll(':is(textarea, select):not([aria-label])')) {
    field.ariaLabel = field.closest('[data-param-name]')?.dataset.paramName ?? 'Request body';
  }
  for (const example of reference.querySelectorAll('.microlight:not([tabindex])')) example.tabIndex = 0;
  const introduction = reference.querySelector('.information-container');
  if (introduction) Object.assign(introduction, { role: 'region', ariaLabel: 'Introduction' });
}

/** Shows only matching operations in the table of contents. */
function find() {
  const wanted = element('search').value.trim().toLowerCase();
  for (const group of element('operations').children) {
    const links = [...group.querySelectorAll('a')];
    for (const link of links) {
      const text = `${link.textContent} ${link.title} ${group.firstChild.textContent}`.toLowerCase();
      link.parentElement.hidden = !text.includes(wanted);
    }
    group.hidden = links.every((link) => link.parentElement.hidden);
  }
}

/** Exchanges the credentials for a session. Throws an Error with the service's message. */
async function exchange({ way, ...credentials }) {
  const response =
    way === 'token'
      ? await fetch('auth/session', { headers: { authorization: `Bearer ${credentials.token}` } })
      : await fetch('auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(credentials),
        });
  const content = await response.json();
  if (!response.ok) throw new Error(content.message);
  return content;
}

/** Shows the session and its account, and draws the reference for this account. */
function showSession() {
  element('principal').textContent = session ? `Signed in as ${session.email}` : '';
  element('sign-in').hidden = session !== undefined;
  element('sign-out').hidden = session === undefined;
  element('account-choice').hidden = session === undefined;
  const options = (session?.accounts ?? []).map(
    ({ accountId, accountName }) => new Option(accountName, accountId),
  );
  element('account').replaceChildren(...options);
  if (session?.primaryAccount) element('account').value = session.primaryAccount.accountId;
  draw(element('account').value || undefined);
}

/** Shows the fields of the selected sign-in method and disables all other fields. */
function chooseWay() {
  const chosen = new FormData(element('credentials')).get('way');
  for (const part of element('credentials').querySelectorAll('.way')) {
    part.hidden = part.dataset.way !== chosen;
    for (const input of part.querySelectorAll('input')) input.disabled = part.hidden;
  }
}

element('sign-in').addEventListener('click', () => element('dialog').showModal());
element('cancel').addEventListener('click', () => element('dialog').close());
element('sign-out').addEventListener('click', () => {
  session = undefined;
  showSession();
});
element('account').addEventListener('change', ({ target }) => draw(target.value));
element('credentials').addEventListener('change', chooseWay);
element('credentials').addEventListener('submit', async (event) => {
  event.preventDefault();
  element('error').textContent = '';
  try {
    session = await exchange(Object.fromEntries(new FormData(element('credentials'))));
  } catch (error) {
    element('error').textContent = error.message;
    return;
  }
  element('credentials').reset();
  chooseWay();
  element('dialog').close();
  showSession();
});
element('search').addEventListener('input', find);
addEventListener('hashchange', follow);
new MutationObserver(improveAccessibility).observe(element('reference'), { childList: true, subtree: true });
element('contents').open = wide.matches;
wide.addEventListener('change', () => {
  element('contents').open = wide.matches;
});
showSession();
