export * from './analysis.js';
export * from './applied-tools.js';
export * from './recipe.js';
export * from './tools.js';
