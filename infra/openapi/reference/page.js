/* The API reference in the browser: navigation without reloads, search, sign-in, and forms that send requests. */
const element = (id) => document.getElementById(id);
const main = element('main');
const wide = matchMedia('(min-width: 60rem)');

/** The response of POST /auth/login or GET /auth/session. */
let session;
/** The selected language of the samples. */
let language = 'curl';
/** The address of the displayed page, without the fragment. */
let shown = location.pathname + location.search;

/** Replaces the main part by the main part of another page. A link to the displayed page only scrolls. */
async function open(address) {
  const { pathname, search, hash } = new URL(address);
  if (pathname + search !== shown) {
    const response = await fetch(pathname + search).catch(() => undefined);
    if (!response?.ok) return location.assign(address);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // Ignores the response if the reader has opened another page in the meantime.
    if (address !== location.href) return;
    shown = pathname + search;
    main.replaceChildren(...page.getElementById('main').childNodes);
    document.title = page.title;
    prepare();
    main.focus({ preventScroll: true });
  }
  const target = element(decodeURIComponent(hash.slice(1)));
  if (target) target.scrollIntoView();
  else scrollTo(0, 0);
  markCurrent();
}

/** Prepares the parts of the page that need this script. */
function prepare() {
  const choice = main.querySelector(`[name="language"][value="${language}"]`);
  if (choice) choice.checked = true;
  for (const part of main.querySelectorAll('.try, .copy')) part.hidden = false;
}

/** Marks the displayed page or chapter in the table of contents. */
function markCurrent() {
  const isShown = (link) => link.href === location.href;
  for (const link of element('chapters').querySelectorAll('a')) {
    link.ariaCurrent = isShown(link) ? 'page' : null;
    if (isShown(link) && wide.matches) link.scrollIntoView({ block: 'nearest' });
  }
}

/** Shows only matching chapters and operations in the table of contents. */
function find() {
  const wanted = element('search').value.trim().toLowerCase();
  let found = 0;
  for (const group of element('chapters').children) {
    const heading = group.firstElementChild.textContent.toLowerCase();
    const links = [...group.querySelectorAll('li a')];
    for (const link of links) {
      const text = `${link.textContent} ${link.title} ${heading}`.toLowerCase();
      link.parentElement.hidden = !text.includes(wanted);
    }
    group.hidden = !heading.includes(wanted) && links.every((link) => link.parentElement.hidden);
    if (!group.hidden) found += 1;
  }
  element('nothing').textContent =
    found === 0 ? `Nothing found for “${element('search').value.trim()}”.` : '';
}

/** Sends the request of a form and shows the response. */
async function send(form) {
  const { method, path } = form.dataset;
  const headers = session ? { authorization: `Bearer ${session.token}` } : {};
  if (session && element('account').value) headers['x-account-id'] = element('account').value;
  const query = new URLSearchParams();
  let target = path.slice(1);
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'header') headers[name] = value;
    else for (const one of 'list' in dataset ? value.split(',') : [value]) query.append(name, one.trim());
  }
  const body = form.elements.body?.value.trim() || undefined;
  if (body) headers['content-type'] = 'application/json';
  const status = form.querySelector('.status');
  const answer = form.querySelector('.answer');
  status.textContent = 'Sending…';
  try {
    let start = performance.now();
    const request = () => fetch(query.size > 0 ? `${target}?${query}` : target, { method, headers, body });
    let response = await request();
    let text = await response.text();
    const isJson = () => response.headers.get('content-type')?.includes('json');
    if (response.status === 403 && isJson() && (await isProvedAgain(JSON.parse(text)))) {
      start = performance.now();
      response = await request();
      text = await response.text();
    }
    status.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - start)} ms`;
    answer.firstChild.textContent = isJson() ? JSON.stringify(JSON.parse(text), null, 2) : text;
    answer.hidden = false;
  } catch (error) {
    status.textContent = error.message;
  }
}

/** Asks for a passkey, a code or the password if the error demands a fresh proof. Returns whether the proof was accepted. */
async function isProvedAgain({ error, stepUp }) {
  if (error !== 'step_up_required' || !session || stepUp.method === 'single_sign_on') return false;
  if (stepUp.method === 'passkey') {
    await proveAgain(await usePasskey(await contentOf('auth/login/passkey', { method: 'POST' })));
    return true;
  }
  const isCode = stepUp.method === 'code';
  const [dialog, form] = [element('proof'), element('proof-form')];
  element('proof-label').textContent = isCode ? 'Code of your second factor' : 'Password';
  element('proof-error').textContent = '';
  form.elements.secret.type = isCode ? 'text' : 'password';
  form.elements.secret.autocomplete = isCode ? 'one-time-code' : 'current-password';
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        await proveAgain({ [stepUp.method]: form.elements.secret.value });
        dialog.close('proved');
      } catch (failure) {
        element('proof-error').textContent = failure.message;
      }
    };
    dialog.onclose = () => {
      form.reset();
      resolve(dialog.returnValue === 'proved');
    };
  });
}

/** Renews the proof of the session. Throws an Error with the service's message. */
function proveAgain(proof) {
  const request = posted(proof);
  request.headers.authorization = `Bearer ${session.token}`;
  return contentOf('auth/step-up', request);
}

/** Exchanges the credentials for a session. Throws an Error with the service's message. */
async function exchange({ way, code, ...credentials }) {
  if (way === 'token') {
    const { token } = credentials;
    return { ...(await contentOf('auth/session', { headers: { authorization: `Bearer ${token}` } })), token };
  }
  const verify = async (options) => contentOf('auth/login/verify', posted(await usePasskey(options)));
  if (way === 'passkey') return verify(await contentOf('auth/login/passkey', { method: 'POST' }));
  const session = await contentOf('auth/login', posted(credentials));
  if (!session.mfaRequired) return session;
  if (code) return contentOf('auth/login/verify', posted({ challenge: session.challenge, code }));
  if (session.publicKey) return verify(session);
  throw new Error('Enter the code of your second factor.');
}

/** Asks the browser for a passkey. Returns its use. */
async function usePasskey({ challenge, publicKey: json }) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = await navigator.credentials.get({ publicKey }).catch((error) => {
    if (error.name !== 'SecurityError') throw error;
    throw new Error(`Passkeys belong to ${json.rpId}. Open this page there.`);
  });
  return { challenge, credential: credential.toJSON() };
}

const posted = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function contentOf(path, request) {
  const response = await fetch(path, request);
  const content = await response.json();
  if (!response.ok) throw new Error(content.message);
  return content;
}

/** Shows the session and its accounts. */
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
element('proof-cancel').addEventListener('click', () => element('proof').close());
element('sign-out').addEventListener('click', () => {
  session = undefined;
  showSession();
});
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
main.addEventListener('submit', (event) => {
  event.preventDefault();
  send(event.target);
});
main.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy')) return;
  await navigator.clipboard.writeText(main.querySelector(`[data-language="${language}"]`).textContent);
  target.textContent = 'Copied';
});
main.addEventListener('change', ({ target }) => {
  const copy = main.querySelector('.copy');
  if (copy) copy.textContent = 'Copy';
  if (target.name === 'language') language = target.value;
});
element('search').addEventListener('input', find);
element('search').addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') element('chapters').querySelector('li:not([hidden]) li:not([hidden]) a')?.click();
});
addEventListener('click', (event) => {
  const link = event.target.closest('a');
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || link.origin !== location.origin || link.pathname !== location.pathname) return;
  if (!wide.matches) element('contents').open = false;
  // For a link inside the displayed page, the browser's default action causes a popstate event, which calls
  // `open`.
  if (link.hash && link.pathname + link.search === shown) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, '', link.href);
  open(link.href);
});
addEventListener('popstate', () => open(location.href));
wide.addEventListener('change', () => {
  element('contents').open = wide.matches;
});
element('contents').open = wide.matches;
element('search').hidden = false;
prepare();
markCurrent();
showSession();
