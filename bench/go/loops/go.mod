module loops

go 1.19
