import { html } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { copyButton } from '../copy-button.js';

const names = {
  baseUrl: 'Address',
  accountId: 'Account',
  adminEmail: 'Administrator',
  adminPassword: 'Password',
  apiKey: 'API key',
  apiSecret: 'API secret',
};

/** Credentials, and how to sign in with them. */
export const home = {
  title: 'Home',
  async open() {
    const { credentials, dataFolder } = await call('GET', 'home');
    const body = JSON.stringify({ apiKey: credentials.apiKey, apiSecret: credentials.apiSecret });
    const command = `curl -s ${credentials.baseUrl}/auth/login -H 'content-type: application/json' -d '${body}'`;
    return {
      view: () => html`
        <h1>Local service</h1>
        <section class="card">
          <h2>Credentials</h2>
          <dl class="pairs">
            ${Object.entries(names).map(
              ([field, name]) =>
                html`<dt>${name}</dt><dd><code>${credentials[field]}</code> ${copyButton(name, credentials[field])}</dd>`,
            )}
            <dt>Data</dt><dd><code>${dataFolder}</code></dd>
          </dl>
          <h3>Get a session token</h3>
          <pre><code>${command}</code></pre>
          <p>${copyButton('the command', command)}</p>
        </section>`,
    };
  },
};
