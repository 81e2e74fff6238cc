import { snakeCase } from '@clearframe/contract';
import { DefaultNamingStrategy } from 'typeorm';

/** Columns are snake_case, as SQL people write them. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, custom ?? property].join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}
