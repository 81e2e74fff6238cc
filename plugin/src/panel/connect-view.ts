import type { App } from './app.ts';
import { button, el, heading, replace, status, text } from './dom.ts';
import { messageOf } from './failure.ts';

const KEY = /^cfk_[\w-]{20,200}$/;

interface ConnectOptions {
  readonly onConnected: () => void;
  /** Why the stored key couldn't be used, and how to try it again. */
  readonly failure?: { readonly error: unknown; readonly retry: () => void };
}

/** Asks for the key, explains what binding it means, and only then binds it. */
export function connectView(app: App, { onConnected, failure }: ConnectOptions): HTMLElement {
  const { t } = app;
  const view = el('main', { className: 'view' });

  const ask = () => {
    const news = status();
    if (failure) news.textContent = messageOf(failure.error, t);
    const field = el('sp-textfield', {
      type: 'text',
      placeholder: 'cfk_live_…',
      dir: 'ltr',
      'aria-label': t('panel.connect.keyLabel'),
      className: 'wide',
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && void check(),
    }) as HTMLInputElement;
    const check = async () => {
      const key = field.value.trim();
      if (!KEY.test(key)) {
        news.textContent = t('panel.connect.invalid');
        return;
      }
      news.textContent = t('panel.connect.checking');
      try {
        const service = await app.serviceFor(key);
        // A key that isn't bound yet works with any device; one that is bound elsewhere says so here.
        await service.me();
        confirm(key);
      } catch (error) {
        news.textContent = messageOf(error, t);
      }
    };
    replace(
      view,
      heading(t('panel.connect.title')),
      text(t('panel.connect.body')),
      field,
      news,
      failure ? button(t('panel.batch.retry'), failure.retry) : null,
      button(t('panel.connect.submit'), check, { variant: 'cta' }),
      button(t('panel.connect.getKey'), () => app.open('/account/plugin-key')),
    );
  };

  const confirm = (key: string) => {
    const news = status();
    const bind = async () => {
      news.textContent = t('panel.connect.checking');
      try {
        const service = await app.serviceFor(key);
        await app.activate(key, service);
        await app.connect(service);
        onConnected();
      } catch (error) {
        news.textContent = messageOf(error, t);
      }
    };
    replace(
      view,
      heading(t('panel.connect.bindTitle')),
      text(t('panel.connect.bind')),
      el('div', { className: 'quiet' }, el('span', { dir: 'ltr', textContent: `${key.slice(0, 17)}…` })),
      news,
      button(t('panel.connect.activate'), bind, { variant: 'cta' }),
      button(t('panel.connect.back'), () => ask()),
    );
  };

  ask();
  return view;
}
