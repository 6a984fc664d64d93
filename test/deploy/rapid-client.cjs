const { Agent, request } = require('node:http');

/**
 * Replaces the native part of AWS's runtime interface client (src/native/rapid-client.cc): its HTTP calls to the
 * Runtime API. The original function that reports a result waits for the response. Here, `next` waits for it.
 */
const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let reported = Promise.resolve();

function call(method, url, headers = {}, body = '') {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, async (response) => {
      const bodyJson = Buffer.concat(await response.toArray()).toString();
      resolve({ bodyJson, headers: response.headers });
    });
    sent.on('error', reject).end(body);
  });
}

function report(url, body, headers) {
  reported = call('POST', url, { 'content-type': 'application/json', ...headers }, body);
}

module.exports = {
  async next() {
    await reported;
    return call('GET', `${api}/next`);
  },
  done(id, body) {
    report(`${api}/${id}/response`, body);
  },
  error(id, body, cause) {
    const { errorType = '' } = JSON.parse(body);
    const headers = {
      'lambda-runtime-function-error-type': errorType,
      'lambda-runtime-function-xray-error-cause': cause,
    };
    report(`${api}/${id}/error`, body, headers);
  },
};
