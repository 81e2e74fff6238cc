import type { BrowserContext } from 'playwright-core';

/** Source of the iframes through which the Firebase SDK and its emulator communicate. */
export const GAPI_ORIGIN = 'https://apis.google.com';

/**
 * Mocks the used part of Google's iframe library: both sides register handlers, and a sender receives the handler's
 * return value.
 */
const SCRIPT = `(() => {
  const channel = (peer, isOurs) => {
    const handlers = {};
    const waiting = {};
    let last = 0;
    let ready;
    const isReady = new Promise((resolve) => { ready = resolve; });
    addEventListener('message', async ({ source, data }) => {
      if (!isOurs(source) || !data || data.channel !== 'gapi') return;
      if (data.kind === 'ready') ready();
      if (data.kind === 'answer') {
        // Like Google's: the SDK throws here on purpose.
        try { waiting[data.id]?.([data.value]); } catch {}
      }
      if (data.kind === 'send' && handlers[data.name]) {
        const value = await handlers[data.name](data.value);
        peer().postMessage({ channel: 'gapi', kind: 'answer', id: data.id, value }, '*');
      }
    });
    return {
      isReady,
      register: (name, handler) => { handlers[name] = handler; },
      send: (name, value, answer) => {
        last += 1;
        if (answer) waiting[last] = answer;
        peer().postMessage({ channel: 'gapi', kind: 'send', id: last, name, value }, '*');
      },
    };
  };
  const open = ({ url, where }, then) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    frame.hidden = true;
    const own = channel(() => frame.contentWindow, (source) => source === frame.contentWindow);
    where.append(frame);
    return then({
      restyle: async () => {},
      // At once: the SDK gives up after five seconds, which a busy machine may need to load the frame.
      ping: async (answer) => answer(),
      register: own.register,
      send: (...message) => void own.isReady.then(() => own.send(...message)),
    });
  };
  let parentFrame;
  const getParentIframe = () => {
    parentFrame ??= channel(() => parent, (source) => source === parent);
    parent.postMessage({ channel: 'gapi', kind: 'ready' }, '*');
    return parentFrame;
  };
  window.gapi = {
    load: (_name, { callback }) => queueMicrotask(callback),
    iframes: { Iframe: class {}, CROSS_ORIGIN_IFRAMES_FILTER: {}, getContext: () => ({ open, getParentIframe }) },
  };
  const onload = new URL(document.currentScript.src).searchParams.get('onload');
  window[onload ?? 'gapi_onload']?.();
})();`;

export async function mockGapi(context: BrowserContext): Promise<void> {
  await context.route(`${GAPI_ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT, headers: { 'access-control-allow-origin': '*' } }),
  );
  await context.route(/^https:\/\/(?:unpkg\.com|fonts\.googleapis\.com)\//, (route) =>
    route.fulfill({
      contentType: route.request().resourceType() === 'script' ? 'text/javascript' : 'text/css',
      body: '',
    }),
  );
}
