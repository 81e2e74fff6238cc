export interface ForfeitProps {
  readonly count: number;
  readonly checkout: string;
}

export const forfeitAddress = ({ checkout }: Pick<ForfeitProps, 'checkout'>): string =>
  `/upgrade/downloads${checkout.slice(checkout.indexOf('?'))}`;

export const FORFEIT_PARAMETER = 'forfeits';
