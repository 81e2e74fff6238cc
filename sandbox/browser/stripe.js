/**
 * In place of Stripe.js: the part that the checkout uses. The element takes test cards, which are sent to the sandbox only.
 */
(() => {
  const API = '/api/sandbox/payments';
  const STYLE = { padding: '0.75rem', inlineSize: '100%', font: 'inherit' };
  const BOX = { ...STYLE, border: '1px solid #808895', borderRadius: '0.75rem' };
  /** Stripe's, by their names. */
  const THEMES = {
    stripe: { colorScheme: 'light', background: '#fff', color: '#30313d' },
    night: { colorScheme: 'dark', background: '#30313d', color: '#fff' },
  };
  const MESSAGES = {
    insufficient_funds: 'Your card has insufficient funds.',
    authentication_failed: 'We are unable to authenticate your payment method.',
  };
  const REAL_CARD = 'This may be a real card. Please use a test card.';

  const create = (name, styles, properties) => {
    const node = Object.assign(document.createElement(name), properties);
    Object.assign(node.style, styles);
    return node;
  };

  /** The Payment Element. */
  class PaymentElement {
    constructor() {
      this.listeners = {};
      this.input = create('input', BOX, { id: 'sandbox-card', inputMode: 'numeric', autocomplete: 'off' });
      this.input.placeholder = '4242 4242 4242 4242';
      this.input.addEventListener('input', () =>
        this.emit('change', { complete: this.isComplete, value: { type: 'card' } }),
      );
    }

    get isComplete() {
      return this.input.value.replace(/\D/g, '').length >= 12;
    }

    show({ theme }) {
      Object.assign(this.input.style, THEMES[theme]);
    }

    on(event, listener) {
      this.listeners[event] = listener;
    }

    emit(event, detail) {
      this.listeners[event]?.(detail);
    }

    mount(parent) {
      const label = create('label', { display: 'block', paddingBlock: '0.5rem' }, { htmlFor: this.input.id });
      label.textContent = 'Test card number';
      parent.replaceChildren(label, this.input);
      queueMicrotask(() => this.emit('ready'));
    }

    destroy() {
      this.input.parentElement?.replaceChildren();
    }
  }

  class Elements {
    constructor({ appearance }) {
      this.appearance = appearance;
    }

    create() {
      this.element = new PaymentElement();
      this.element.show(this.appearance);
      return this.element;
    }

    update({ appearance }) {
      this.element?.show(appearance);
    }

    async submit() {
      if (this.element.isComplete) return {};
      return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
    }
  }

  const toError = (code) => ({
    error: { type: 'card_error', code: 'card_declined', message: MESSAGES[code] ?? 'Your card was declined.' },
  });

  /** @param kind `setup_intent` or `payment_intent` */
  async function confirm(kind, { elements, clientSecret, confirmParams }) {
    const id = clientSecret.split('_secret_')[0];
    const response = await fetch(`${API}/${kind}s/${id}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card_number: elements.element.input.value, return_url: confirmParams.return_url }),
    });
    const result = await response.json();
    if (!response.ok) return { error: { type: 'validation_error', message: REAL_CARD } };
    if (result.status === 'failed') return toError(result.error_code);
    if (result.status === 'succeeded') return { id, status: result.status };
    location.assign(result.redirect_url);
    // The page is left.
    return new Promise(() => {});
  }

  const withIntent = (name, { error, ...intent }) => (error ? { error } : { [name]: intent });

  window.Stripe = () => ({
    elements: (options) => new Elements(options),
    confirmSetup: async (order) => withIntent('setupIntent', await confirm('setup_intent', order)),
    confirmPayment: async (order) => withIntent('paymentIntent', await confirm('payment_intent', order)),
  });
})();
