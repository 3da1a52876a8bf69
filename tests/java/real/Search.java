// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** Threads add, replace and delete documents of one Lucene index, and search it meanwhile. Prints what must be found in the end. */
final class Search {
    static final int THREADS = 4, DOCUMENTS = 300;
    static final String[] WORDS = {"race", "lock", "thread", "order", "volatile", "monitor", "segment"};

    private Search() {}

    static Document document(int thread, int i) {
        Document d = new Document();
        d.add(new StringField("id", thread + "-" + i, Field.Store.YES));
        d.add(new TextField("text", "all " + WORDS[i % WORDS.length] + " " + WORDS[(i + thread) % WORDS.length], Field.Store.NO));
        return d;
    }

    static int fill(IndexWriter writer, SearcherManager searchers, int thread) throws Exception {
        int searches = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            writer.addDocument(document(thread, i));
            if (i % 10 == 3)
                writer.updateDocument(new Term("id", thread + "-" + (i - 1)), document(thread, i - 1));
            if (i % 20 == 7)
                writer.deleteDocuments(new Term("id", thread + "-" + (i - 2)));
            if (i % 25 == 0) {
                searchers.maybeRefresh();
                IndexSearcher searcher = searchers.acquire();
                try {
                    // Own documents, but those that were deleted, are there; the others' may be.
                    int found = searcher.search(new TermQuery(new Term("text", "all")), 10).totalHits;
                    if (found > THREADS * DOCUMENTS)
                        throw new IllegalStateException("found " + found);
                    searches++;
                } finally {
                    searchers.release(searcher);
                }
            }
        }
        return searches;
    }

    static int hits(IndexSearcher searcher, String field, String text) throws Exception {
        return searcher.search(new TermQuery(new Term(field, text)), 1).totalHits;
    }

    public static void main(String[] args) throws Exception {
        IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, new WhitespaceAnalyzer());
        config.setMaxBufferedDocs(40); // many segments, so that they are merged by threads of Lucene's own
        try (RAMDirectory directory = new RAMDirectory(); IndexWriter writer = new IndexWriter(directory, config);
                SearcherManager searchers = new SearcherManager(writer, true, null)) {
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<Future<Integer>> fills = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                fills.add(pool.submit(() -> fill(writer, searchers, thread)));
            }
            int searches = 0;
            for (Future<Integer> f : fills)
                searches += f.get();
            pool.shutdown();
            writer.commit();
            searchers.maybeRefreshBlocking();
            IndexSearcher searcher = searchers.acquire();
            System.out.println("searches " + searches + ", documents " + hits(searcher, "text", "all") + ", with \"race\" "
                    + hits(searcher, "text", "race") + ", deleted " + hits(searcher, "id", "2-5") + ", kept " + hits(searcher, "id", "2-6"));
            searchers.release(searcher);
        }
    }
}
