export interface ForfeitProps {
  readonly count: number;
  /** The checkout of the subscription; a path. */
  readonly checkout: string;
}

/** The checkout's query; everything else is validated again there. */
export const forfeitAddress = ({ checkout }: Pick<ForfeitProps, 'checkout'>): string =>
  `/upgrade/downloads${checkout.slice(checkout.indexOf('?'))}`;

/** Parameter of the checkout: the visitor has agreed to lose this many downloads. */
export const FORFEIT_PARAMETER = 'forfeits';
