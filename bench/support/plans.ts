import type { DatabaseClient } from '../../tests/support/product/database.ts';
import type { CapturedStatement } from './wire-tap.ts';

export interface ExplainedStatement {
  readonly sql: string;
  readonly planningMs: number;
  readonly executionMs: number;
  readonly scans: readonly string[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const SHOWN = 90;

function scansOf(plan: Plan): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': relation } = plan;
  const own = type.includes('Scan') ? [`${type} ${index ?? relation ?? ''}`.trim()] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

function shortened(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

export async function explain(
  client: DatabaseClient,
  statements: readonly CapturedStatement[],
): Promise<ExplainedStatement[]> {
  const explained: ExplainedStatement[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values: [...parameters],
    });
    const [answer] = rows[0]['QUERY PLAN'] as { Plan: Plan; 'Planning Time': number; 'Execution Time': number }[];
    if (!answer) throw new Error(`no plan for ${sql}`);
    explained.push({
      sql: shortened(sql),
      planningMs: answer['Planning Time'],
      executionMs: answer['Execution Time'],
      scans: scansOf(answer.Plan),
    });
  }
  return explained;
}
