import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { TOOL_ORDER } from '../pipeline/applied-tools.js';
import type { ToolName } from '../pipeline/tools.js';

/** Days between `from` and `to`, both included: at most, and of an answer to a request that names no beginning. */
export const USAGE_DAYS = { max: 366, usual: 30 } as const;

/** Most rows of a page. */
export const USAGE_ROWS_MAX = 1_000;

/** Days that dates of any client and store can express. */
const Day = z.iso.date().refine((day) => day.startsWith('2'), { error: 'Must be in the years 2000 to 2999' });

const ToolCount = z
  .int()
  .describe('Pictures and videos with a result that this tool had a part in.')
  .meta({ examples: [12] });

/** Pictures and videos with a result, by the tools of their pipelines; one with three tools counts in each. */
export const ToolCounts = z
  .object(Object.fromEntries(TOOL_ORDER.map((tool) => [tool, ToolCount])) as Record<ToolName, typeof ToolCount>)
  .meta({ id: 'ToolCounts' });

/** What a key has had made on a day (UTC): of runs that ended on it. */
export const UsageRow = z
  .object({
    day: z.iso.date().describe('Day (UTC) on which the work ended.'),
    keyId: z.uuid().describe('Id of the key, which may have been revoked.'),
    isTest: z.boolean().describe('Of a test key: free of charge.'),
    pictures: z
      .int()
      .describe('Pictures with a result.')
      .meta({ examples: [42] }),
    videos: z
      .int()
      .describe('Videos with a result.')
      .meta({ examples: [0] }),
    megapixels: z
      .number()
      .describe('Sum of the sizes of the pictures’ results, in megapixels.')
      .meta({ examples: [176.16] }),
    failed: z
      .int()
      .describe('Pictures and videos that were refused or failed; they count towards no limit.')
      .meta({ examples: [1] }),
    tools: ToolCounts.describe('The results by tool; one with three tools counts in each.'),
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

/** By day, then by key. */
export const UsageList = z
  .object({
    data: z.array(UsageRow).describe('Rows by day, then by key; days without work have none.'),
    hasMore: z
      .boolean()
      .describe(
        'There are later rows: pass `day` and `key_id` of the last one, with a colon between, as `starting_after`.',
      ),
  })
  .meta({ id: 'UsageList' });
export type UsageList = z.infer<typeof UsageList>;

/** Counts that stay when a key is revoked. */
export const usageRoutes = {
  listUsage: defineRoute({
    method: 'GET',
    path: '/usage',
    tag: 'plugin-keys',
    summary: 'List the usage of keys',
    description:
      'Counts by day and key what keys have had made. A live key sees the live keys of its account, a test key the test keys, a login all of them.',
    allow: { sessionOrKey: 'media:read' },
    query: z.object({
      from: Day.optional().describe('First day (UTC). Absent: 30 days in all.'),
      to: Day.optional().describe('Last day (UTC), at most 366 days in all. Absent: today.'),
      keyId: z.uuid().optional().describe('Only of this key. Absent: of all.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(USAGE_ROWS_MAX)
        .default(100)
        .describe('Most rows of a page, 1 to 1,000. Default: 100.'),
      startingAfter: z
        .templateLiteral([z.iso.date(), ':', z.uuid()])
        .optional()
        .describe('`day:key_id` of a page’s last row, to get the next page.'),
    }),
    responses: { 200: UsageList },
    errors: ['plugin_keys.not_found'],
    limit: 'reads',
  }),
} as const;
