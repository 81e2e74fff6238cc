/** The parts of Stripe's objects (API 2026-10-28.endive) that the product reads or shows. Times are Unix seconds. */
export interface Base<Name extends string> {
  id: string;
  object: Name;
  livemode: false;
}

export interface Created {
  created: number;
}

export type Metadata = Record<string, string>;

export interface StripeList<Item> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: Item[];
}
