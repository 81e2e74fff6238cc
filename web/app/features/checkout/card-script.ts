import { loadScript } from './provider-script';

/** The parts of Stripe.js that the form uses. */
interface CardError {
  readonly message?: string;
  readonly code?: string;
}

export interface CardAppearance {
  readonly theme: 'stripe' | 'night';
}

export interface CardElements {
  update(options: { readonly appearance: CardAppearance }): void;
  create(type: 'payment', options: { readonly paymentMethodOrder: readonly string[] }): CardElement;
  submit(): Promise<{ readonly error?: CardError }>;
}

interface CardChange {
  readonly complete: boolean;
  /** The chosen method: `card`, `paypal`, … */
  readonly value?: { readonly type: string };
}

export interface CardElement {
  on(event: 'ready' | 'loaderror', listener: () => void): void;
  on(event: 'change', listener: (change: CardChange) => void): void;
  mount(parent: HTMLElement): void;
  destroy(): void;
}

interface ConfirmOrder {
  readonly elements: CardElements;
  readonly clientSecret: string;
  readonly confirmParams: { readonly return_url: string };
  readonly redirect: 'if_required';
}

interface Intent {
  readonly id: string;
}

export interface CardScript {
  elements(options: {
    readonly mode: 'setup' | 'payment';
    readonly currency: string;
    readonly amount?: number;
    readonly setupFutureUsage?: 'off_session';
    readonly appearance: CardAppearance;
  }): CardElements;
  confirmSetup(order: ConfirmOrder): Promise<{ readonly error?: CardError; readonly setupIntent?: Intent }>;
  confirmPayment(order: ConfirmOrder): Promise<{ readonly error?: CardError; readonly paymentIntent?: Intent }>;
}

type CreateCardScript = (publishableKey: string, options: { readonly locale: string }) => CardScript;

declare global {
  interface Window {
    Stripe?: CreateCardScript;
  }
}

export const loadCardScript = (url: string): Promise<CreateCardScript> => loadScript(url, () => window.Stripe);
