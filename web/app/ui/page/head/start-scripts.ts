import { DEFERRED_MODULE, DEFERRED_PRELOAD, MAX_WAIT_MS } from './deferral';

/**
 * Starts waiting modules once the important picture is painted or has failed, or at the first press, key or dragged
 * file. Preloads request all files at once; the module alone would request them one after the other.
 */
export function startScriptsAfterPicture(): void {
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
