/** In place of reCAPTCHA's script: the part of version 3 that the forms use. The sandbox reads its tokens. */
(() => {
  const { src } = document.currentScript;
  const siteKey = new URL(src).searchParams.get('render');

  /** As in `captcha-tokens.ts`. */
  const tokenFor = (action) => `sbx_captcha.${Date.now()}.${crypto.randomUUID()}.${action}`;

  window.grecaptcha = {
    ready: (listener) => void queueMicrotask(listener),
    execute: async (key, { action }) => {
      if (key !== siteKey) throw new Error(`Invalid site key or not loaded in api.js: ${key}`);
      if (!/^[A-Za-z0-9_/]+$/.test(action)) throw new Error('Invalid action name, may only include "A-Za-z/_".');
      return tokenFor(action);
    },
  };
})();
