import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A banner that appears some time after the script, with styles of its own, as OneTrust's does: they have the nonce of
 * its script. `data-watched`: it has a listener.
 */
const CONSENT_PLATFORM = `(() => {
  const { dataset: { domainScript }, nonce } = document.currentScript;
  const style = document.createElement('style');
  style.id = 'onetrust-style';
  style.nonce = nonce;
  style.textContent = '#onetrust-accept-btn-handler { outline: 3px solid rgb(1, 2, 3); }';
  document.head.append(style);
  window.OneTrust = { ToggleInfoDisplay: () => { document.body.dataset.settings = domainScript; } };
  window.OnetrustActiveGroups = ',C0001,';
  window.OptanonWrapper();
  requestAnimationFrame(() => {
    const button = document.createElement('button');
    button.id = 'onetrust-accept-btn-handler';
    button.textContent = 'Accept all of it';
    button.onclick = () => {
      window.OnetrustActiveGroups = ',C0001,C0002,C0004,';
      button.remove();
      window.OptanonWrapper();
    };
    const listen = button.addEventListener.bind(button);
    button.addEventListener = (...given) => { listen(...given); button.dataset.watched = ''; };
    document.body.append(button);
  });
})();`;

/** Serves the scripts of a tag manager, a consent platform and a survey. */
export async function startThirdParties() {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    requested.push(url);
    response.setHeader('content-type', 'text/javascript').end(url === '/platform.js' ? CONSENT_PLATFORM : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requested,
    environment: {
      TAG_MANAGER_ID: 'GTM-TEST',
      TAG_MANAGER_SCRIPT_URL: `${origin}/gtm.js`,
      SURVEY_SCRIPT_URL: `${origin}/survey.js`,
    },
    platform: { CONSENT_PLATFORM_ID: 'site-1', CONSENT_PLATFORM_SCRIPT_URL: `${origin}/platform.js` },
    stop: () => server.close(),
  };
}
