/** This file in a state root makes every plan in it a dry run. */
export const DRY_RUN_FILE = 'dry-run.yaml'
