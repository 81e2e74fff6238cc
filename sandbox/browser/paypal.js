/**
 * In place of PayPal's SDK: the part that the checkout uses. The buttons open a dialog of the sandbox, in which the payer
 * approves.
 */
(() => {
  const API = '/api/sandbox/paypal-sdk';
  const { src, dataset } = document.currentScript;
  const settings = new URL(src).searchParams;
  const isForSubscriptions = settings.get('intent') === 'subscription';

  const ROUND = {
    minBlockSize: '3rem',
    inlineSize: '100%',
    font: 'inherit',
    borderRadius: '1.5rem',
    cursor: 'pointer',
  };
  const BUTTON = { ...ROUND, background: '#ffc439', color: '#111318', border: '0', fontWeight: '700' };
  const QUIET = { ...ROUND, background: 'transparent', color: 'inherit', border: '1px solid currentColor' };
  const DIALOG = {
    inlineSize: 'min(100% - 2rem, 25rem)',
    boxSizing: 'border-box',
    margin: 'auto',
    padding: '1.5rem',
    border: '0',
    borderRadius: '1.25rem',
    background: 'light-dark(#fff, #1b1e25)',
    color: 'light-dark(#16181d, #f1f2f5)',
    font: '1rem/1.5 ui-sans-serif, system-ui, sans-serif',
  };
  const TITLE = { margin: '0', fontSize: '1.25rem', fontWeight: '650' };
  const SUM = { margin: '0.75rem 0 0', fontSize: '1.75rem', fontWeight: '650' };
  const NOTE = { margin: '0.25rem 0 1.25rem' };
  const BANNER = { margin: '0 0 1rem', fontSize: '0.875rem', fontWeight: '600', color: 'light-dark(#5c4300, #ffdf94)' };

  const create = (name, styles, properties) => {
    const node = Object.assign(document.createElement(name), properties);
    Object.assign(node.style, styles);
    return node;
  };

  /** @throws Error with the description of a rejection */
  async function call(path, body) {
    const response = await fetch(`${API}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, client_id: settings.get('client-id') }),
    });
    const result = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new Error(result.error_description);
    return result;
  }

  /** @returns whether the payer approved */
  function askPayer({ sum, note }, approve) {
    return new Promise((resolve, reject) => {
      const dialog = create('dialog', DIALOG, { lang: 'en', dir: 'ltr', ariaLabel: 'PayPal' });
      const yes = create('button', BUTTON, { type: 'button', textContent: 'Approve' });
      const no = create('button', { ...QUIET, marginBlockStart: '0.75rem' }, { type: 'button', textContent: 'Cancel' });
      const finish = (settle) => {
        dialog.remove();
        settle();
      };
      yes.addEventListener('click', () => {
        // A double click approves once, and an approval that was sent can't be cancelled.
        yes.disabled = no.disabled = true;
        approve().then(
          () => finish(() => resolve(true)),
          (error) => finish(() => reject(error)),
        );
      });
      no.addEventListener('click', () => dialog.close());
      dialog.addEventListener('cancel', (event) => yes.disabled && event.preventDefault());
      dialog.addEventListener('close', () => finish(() => resolve(false)));
      dialog.append(
        create('p', BANNER, { textContent: 'Sandbox: no money moves' }),
        create('h2', TITLE, { textContent: 'Pay with PayPal' }),
        create('p', SUM, { textContent: sum }),
        create('p', NOTE, { textContent: note }),
        yes,
        no,
      );
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  class Buttons {
    constructor(options) {
      if (isForSubscriptions !== Boolean(options.createSubscription)) {
        throw new Error('createSubscription needs intent=subscription and vault=true, createOrder intent=capture');
      }
      this.options = options;
      this.shown = new Map();
      this.button = create('button', BUTTON, { type: 'button', textContent: 'PayPal' });
      this.button.addEventListener('click', () => this.click());
    }

    isEligible() {
      return true;
    }

    async render(parent) {
      parent.replaceChildren(this.button);
    }

    async close() {
      this.button.remove();
    }

    async click() {
      if (this.isOpen) return;
      this.isOpen = true;
      try {
        await this.pay();
      } catch (error) {
        this.options.onError?.(error);
      } finally {
        this.isOpen = false;
      }
    }

    async pay() {
      const { onClick, onApprove, onCancel } = this.options;
      const isAccepted = await onClick?.({}, { resolve: () => true, reject: () => false });
      if (isAccepted === false) return;
      const kind = isForSubscriptions ? 'subscription' : 'order';
      const creation = isForSubscriptions ? this.options.createSubscription : this.options.createOrder;
      const id = await creation({}, { [kind]: { create: (order) => this.create(kind, order) } });
      const isApproved = await askPayer(this.shown.get(id), () => call(`${kind}s/${id}/approve`, {}));
      if (!isApproved) return onCancel?.({});
      return onApprove(isForSubscriptions ? { subscriptionID: id, orderID: null } : { orderID: id });
    }

    async create(kind, { plan_id, custom_id, purchase_units: [unit] = [] }) {
      const { id, sum, note } = await (kind === 'subscription'
        ? call('subscriptions', { plan_id, custom_id })
        : call('orders', { amount: unit.amount, custom_id: unit.custom_id, currency: settings.get('currency') }));
      this.shown.set(id, { sum, note });
      return id;
    }
  }

  window[dataset.namespace ?? 'paypal'] = { Buttons: (options) => new Buttons(options) };
})();
