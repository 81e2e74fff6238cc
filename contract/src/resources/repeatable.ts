import { z } from 'zod';

/** A query parameter that can be sent several times: its different values. */
export const repeatable = <Item extends z.ZodType<unknown, string>>(
  item: Item,
  max: number,
): z.ZodType<z.output<Item>[], string | readonly string[]> =>
  z.preprocess(
    (values) => (values === undefined ? values : [...new Set([values].flat())]),
    z.array(item).min(1).max(max),
  ) as unknown as z.ZodType<z.output<Item>[], string | readonly string[]>;
