import { loadScript } from './provider-script';

interface NewSubscription {
  readonly plan_id: string;
  readonly custom_id: string;
  readonly application_context: { readonly brand_name: string; readonly shipping_preference: 'NO_SHIPPING' };
}

interface NewOrder {
  readonly intent: 'CAPTURE';
  readonly purchase_units: readonly [
    { readonly custom_id: string; readonly amount: { readonly currency_code: string; readonly value: string } },
  ];
  readonly application_context: { readonly brand_name: string; readonly shipping_preference: 'NO_SHIPPING' };
}

interface ClickActions {
  resolve(): unknown;
  reject(): unknown;
}

interface Approved {
  readonly subscriptionID?: string | null;
  readonly orderID?: string | null;
}

export interface Creation {
  createSubscription?(
    data: unknown,
    actions: { readonly subscription: { create(order: NewSubscription): Promise<string> } },
  ): Promise<string>;
  createOrder?(
    data: unknown,
    actions: { readonly order: { create(order: NewOrder): Promise<string> } },
  ): Promise<string>;
}

interface ButtonOptions extends Creation {
  readonly style: { readonly layout: 'vertical'; readonly shape: 'pill'; readonly height: number };
  /** Called before anything is created; a rejection opens no window. */
  onClick(data: unknown, actions: ClickActions): unknown;
  onApprove(approved: Approved): void;
  onCancel(): void;
  onError(error: unknown): void;
}

export interface WalletButtons {
  isEligible(): boolean;
  render(parent: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

interface WalletScript {
  Buttons(options: ButtonOptions): WalletButtons;
}

interface ScriptOptions {
  readonly scriptUrl: string;
  readonly clientId: string;
  readonly intent: 'subscription' | 'capture';
  readonly currency: string;
}

function isScript(value: unknown): value is WalletScript {
  return typeof value === 'object' && value !== null && 'Buttons' in value && typeof value.Buttons === 'function';
}

export function loadWalletScript({ scriptUrl, clientId, intent, currency }: ScriptOptions): Promise<WalletScript> {
  const url = new URL(scriptUrl);
  const settings = {
    'client-id': clientId,
    components: 'buttons',
    currency: currency.toUpperCase(),
    intent,
    // Cards are entered in the card provider's form.
    'disable-funding': 'card,credit,paylater',
    ...(intent === 'subscription' && { vault: 'true' }),
  };
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  // Each intent and currency needs a script of its own, under a name of its own.
  const namespace = `paypal_${intent}_${currency}`;
  const find = () => {
    const loaded: unknown = Reflect.get(window, namespace);
    return isScript(loaded) ? loaded : undefined;
  };
  // For the styles that it adds to the page. Attributes of nonces are hidden from scripts, the property is not.
  const cspNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  return loadScript(url.href, find, { namespace, cspNonce });
}
