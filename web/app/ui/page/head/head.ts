/** The script in the head of every page: `?inline-script` (vite.config.ts) imports its text. */

import { AWAITS_SCRIPTS, DEFERRED_MODULE, DEFERRED_PRELOAD, MAX_WAIT_MS } from './deferral';
import { markEarlyChoices } from './early-choices';

// The content security policy forbids `eval`, with which Zod would compile parsers, and browsers report each try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
detectScripts();
startScriptsAfterPicture();
holdSubmissions();
markEarlyChoices();

/**
 * Sets the `js` class before the first paint, which prevents layout shifts, and removes it when the page's scripts
 * fail to load, so that the page then works as without JavaScript.
 */
function detectScripts(): void {
  const root = document.documentElement;
  const giveUp = () => {
    if (root.dataset.live || !root.classList.contains('js')) return;
    root.classList.remove('js');
    const refresh = document.querySelector<HTMLMetaElement>('meta[name=refresh-without-script]');
    if (refresh) setTimeout(() => location.reload(), Number(refresh.content) * 1_000);
  };
  root.classList.add('js');
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement) giveUp();
  };
  // Errors of elements don't bubble.
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', giveUp);
}

/**
 * Starts waiting modules once the important picture is painted or has failed, or at the first press, key or dragged
 * file. Preloads request all files at once; the module alone would request them one after the other.
 */
function startScriptsAfterPicture(): void {
  addEventListener('DOMContentLoaded', () => {
    const waiting = document.querySelector<HTMLScriptElement>(`script[type=${DEFERRED_MODULE}]`);
    const picture = document.querySelector<HTMLImageElement>('img[fetchpriority=high]');
    let hasStarted = !waiting;
    const start = () => {
      if (hasStarted || !waiting) return;
      hasStarted = true;
      for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel=${DEFERRED_PRELOAD}]`))
        link.rel = 'modulepreload';
      // A browser ignores a changed type of a script that it has parsed.
      const { nonce, text } = waiting;
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', nonce, text }));
    };
    if (!picture || document.hidden) return start();
    picture.decode().then(() => requestAnimationFrame(() => setTimeout(start)), start);
    for (const event of ['pointerdown', 'keydown', 'dragenter'])
      addEventListener(event, start, { once: true, capture: true });
    setTimeout(start, MAX_WAIT_MS);
  });
}

/**
 * Keeps the submission of a form that awaits scripts until the page is hydrated. Sends it as without scripts when these
 * fail or take too long.
 */
function holdSubmissions(): void {
  const root = document.documentElement;
  const held = new WeakSet<HTMLFormElement>();
  const isLoading = () => !root.dataset.live && root.classList.contains('js');
  const onSubmit = (event: SubmitEvent) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute(AWAITS_SCRIPTS) || !isLoading()) return;
    event.preventDefault();
    if (held.has(form)) return;
    held.add(form);
    const send = () => {
      clearTimeout(timer);
      observer.disconnect();
      form.removeAttribute(AWAITS_SCRIPTS);
      form.requestSubmit(submitter);
    };
    const timer = setTimeout(send, MAX_WAIT_MS);
    const observer = new MutationObserver(() => {
      if (!isLoading()) send();
    });
    observer.observe(root, { attributes: true, attributeFilter: ['data-live', 'class'] });
  };
  addEventListener('submit', onSubmit, true);
}
